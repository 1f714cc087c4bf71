import type { IslandKey, IslandMessages, MessageParts } from '#content/island-messages.ts';
import type { MessageKey } from '#content/keys.ts';

type Value = string | number;

/** Reads the texts of an island or a script; by the rules of ICU messages, as the server does. */
export interface MessageReader<Key extends string = MessageKey> {
  /** What `Intl` gets for this language. */
  formatting: string;
  /** The text with its values. A value that is not given stays as `{name}`, a key without a text is its own text. */
  t(key: Key, values?: Readonly<Record<string, Value>>): string;
  /** The text in pieces, for values that are no text: elements. */
  parts<Part>(key: Key, values: Readonly<Record<string, Part>>): Array<string | Part>;
  /** A text that changes with `count`; `{shown}` in it is the number as the language writes it. */
  count(key: Key, count: number): string;
  /** A number with `digits` digits behind its point, at least `least` of them. */
  number(value: number, digits?: number, least?: number): string;
  /** Whether there is such a text, and without values. */
  isPlain(key: string): boolean;
}

export function messageReader<Prefix extends string>({
  formatting,
  texts: known,
}: IslandMessages<Prefix>): MessageReader<IslandKey<Prefix>> {
  // made when they are first needed: the first one loads the formats of the language, 60 ms on a phone
  let plain: Intl.NumberFormat | undefined;
  const numbers = new Map<string, Intl.NumberFormat>();
  let rules: Intl.PluralRules | undefined;

  function pieces<Part>(
    text: MessageParts,
    values: Readonly<Record<string, Part>>,
    around = 0,
  ): Array<string | Part> {
    if (typeof text === 'string') return [text];
    return text.flatMap((piece) => {
      if (typeof piece === 'string') return [piece];
      if (piece === 0) {
        plain ??= new Intl.NumberFormat(formatting);
        return [plain.format(around)];
      }
      const [name, forms] = piece;
      const value = values[name];
      if (!forms) return [value ?? `{${name}}`];
      const number = Number(value);
      rules ??= new Intl.PluralRules(formatting);
      return pieces(forms[`=${number}`] ?? forms[rules.select(number)] ?? forms.other ?? '', values, number);
    });
  }
  const parts: MessageReader<string>['parts'] = (key, values) => pieces(known[key] ?? key, values);
  const t: MessageReader<string>['t'] = (key, values = {}) => parts(key, values).join('');
  const number = (value: number, digits = 0, least = digits) => {
    const name = `${digits} ${least}`;
    let format = numbers.get(name);
    if (!format) {
      format = new Intl.NumberFormat(formatting, {
        minimumFractionDigits: least,
        maximumFractionDigits: digits,
      });
      numbers.set(name, format);
    }
    return format.format(value);
  };
  return {
    formatting,
    t,
    parts,
    number,
    count: (key, count) => t(key, { count, shown: number(count) }),
    isPlain: (key) => Object.hasOwn(known, key) && typeof known[key] === 'string',
  };
}

/** The texts that stand in the page for a script: those of the element's `data-messages`. */
export const readMessages = <Prefix extends string>(element: HTMLElement): MessageReader<IslandKey<Prefix>> =>
  messageReader(JSON.parse(element.dataset.messages!) as IslandMessages<Prefix>);
