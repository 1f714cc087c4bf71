import { IntlMessageFormat } from 'intl-messageformat';

export type Pseudo = 'accented' | 'mirrored' | 'flipped';

type Element = ReturnType<NonNullable<typeof IntlMessageFormat.__parse>>[number];

const plain = 'abcdefghijklmnopqrstuvwxyzACDEGHIKLNORSTUWYZ';
const accented = 'àƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÀÇÐÉĜĤÎĶĻÑÖŔŠŢÛŴÝŽ';

/** A word with a third more letters: other languages are longer than English. */
const longer = (word: string): string => word + '·'.repeat(Math.round(word.length / 3));

/** Accented letters, a third longer, to find hard-coded and truncated texts. Keeps tags. */
const accent = (text: string): string =>
  text.replace(/<[^>]*>|[a-zA-Z]+/g, (part) =>
    part.startsWith('<')
      ? part
      : longer([...part].map((char) => accented[plain.indexOf(char)] ?? char).join('')),
  );

/**
 * Words between right-to-left overrides, like the right-to-left pseudo-locales of phones, and a third longer, so that one
 * look at a page finds what is not mirrored, what is too narrow and what is hard-coded. Keeps tags.
 */
const mirror = (text: string): string =>
  text.replace(/<[^>]*>|[^\s<>]+/g, (part) =>
    part.startsWith('<') ? part : `\u200f\u202e${part.replace(/[a-zA-Z]+/g, longer)}\u202c\u200f`,
  );

const upright = 'abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRTUVWYZ1234567890.,?!\'"()[]{}<>_&';
const flipped = 'ɐqɔpǝɟᵷɥᴉſʞꞁɯuodbɹsʇnʌʍʎzⱯBƆᗡƎℲ⅁HIſʞ⅂WNOԀQᴚ⟘∩ΛMʎZƖᄅƐㄣϛ9ㄥ860˙‘¿¡,„)(][}{><‾⅋';

/** Letters upside down, in reverse order. */
const flip = (text: string): string =>
  [...text]
    .reverse()
    .map((char) => {
      const index = upright.indexOf(char);
      return index < 0 ? char : [...flipped][index];
    })
    .join('');

const changes = { accented: accent, mirrored: mirror, flipped: flip };

const quoted = (text: string): string => text.replace(/'/g, "''").replace(/[{}]/g, "'$&'");

/**
 * Transforms the words of the ICU message `text` for a generated language; keeps arguments and plurals. Upside down
 * reverses their order, because it is read from the end, and does not support tags.
 */
export function pseudo(kind: Pseudo, text: string): string {
  const change = changes[kind];
  const print = (elements: Element[], inPlural: boolean): string =>
    (kind === 'flipped' ? [...elements].reverse() : elements)
      .map((element) => one(element, inPlural))
      .join('');
  const one = (element: Element, inPlural: boolean): string => {
    switch (element.type) {
      case 0:
        return inPlural ? quoted(change(element.value)).replace(/#/g, "'#'") : quoted(change(element.value));
      case 1:
        return `{${element.value}}`;
      case 5:
      case 6: {
        const kind =
          element.type === 5 ? 'select' : element.pluralType === 'ordinal' ? 'selectordinal' : 'plural';
        const offset = element.type === 6 && element.offset ? ` offset:${element.offset}` : '';
        const cases = Object.entries(element.options).map(
          ([name, { value }]) => `${name} {${print(value, element.type === 6)}}`,
        );
        return `{${element.value}, ${kind},${offset} ${cases.join(' ')}}`;
      }
      case 7:
        return '#';
      default:
        throw new Error(`A message uses syntax that pseudo-locales do not support: ${text}`);
    }
  };
  return print(IntlMessageFormat.__parse!(text, { ignoreTag: true }), false);
}
