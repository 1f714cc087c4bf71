import { IntlMessageFormat } from 'intl-messageformat';

export type Pseudo = 'accented' | 'mirrored' | 'flipped';

type Element = ReturnType<NonNullable<typeof IntlMessageFormat.__parse>>[number];

const plain = 'abcdefghijklmnopqrstuvwxyzACDEGHIKLNORSTUWYZ';
const accented = 'àƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÀÇÐÉĜĤÎĶĻÑÖŔŠŢÛŴÝŽ';

/** Letters with accents, a third longer, in brackets: hard-coded and cut-off texts show. Tags stay. */
const accent = (text: string): string =>
  text.replace(/<[^>]*>|[a-zA-Z]+/g, (part) =>
    part.startsWith('<')
      ? part
      : [...part].map((char) => accented[plain.indexOf(char)] ?? char).join('') +
        '·'.repeat(Math.round(part.length / 3)),
  );

/** Words between right-to-left overrides, as the right-to-left test languages of phones do. Tags stay. */
const mirror = (text: string): string =>
  text.replace(/<[^>]*>|[^\s<>]+/g, (part) =>
    part.startsWith('<') ? part : `\u200f\u202e${part}\u202c\u200f`,
  );

const upright = 'abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRTUVWYZ1234567890.,?!\'"()[]{}<>_&';
const flipped = 'ɐqɔpǝɟᵷɥᴉſʞꞁɯuodbɹsʇnʌʍʎzⱯBƆᗡƎℲ⅁HIſʞ⅂WNOԀQᴚ⟘∩ΛMʎZƖᄅƐㄣϛ9ㄥ860˙‘¿¡,„)(][}{><‾⅋';

/** Letters upside down, read from the end. */
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
 * The ICU message `text` with its words changed for a language that is made; arguments and plurals stay as they are.
 * Upside down they come in reverse order, because that is read from the end; it knows no tags.
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
        throw new Error(`A message uses what test languages cannot print: ${text}`);
    }
  };
  return print(IntlMessageFormat.__parse!(text, { ignoreTag: true }), false);
}
