import { fill } from '../../text/fill.ts';
import type { CountedKey, FilledKey, PanelTexts, PlainKey } from './message-keys.ts';
import type { Refusal } from './socket.ts';

/** The localized messages of the server islands. */
export interface Messages {
  formatting: string;
  t(key: PlainKey): string;
  fill(key: FilledKey, values: Record<string, string | number>): string;
  /** A text with a number in it. */
  count(key: CountedKey, count: number): string;
  number(value: number, digits?: number): string;
  /** The message of a refusal. */
  refusal(refusal: Refusal): string;
  /** A local address in the language of the page. */
  link(path: string): string;
}

export function messagesOf(texts: PanelTexts): Messages {
  const { formatting } = texts;
  const rules = new Intl.PluralRules(formatting);
  const formats = [0, 1, 2].map(
    (digits) =>
      new Intl.NumberFormat(formatting, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const number = (value: number, digits = 0) => formats[digits]!.format(value);
  return {
    formatting,
    number,
    t: (key) => texts.plain[key],
    fill: (key, values) => fill(texts.plain[key], values),
    count: (key, count) => {
      const forms = texts.counted[key];
      return fill(forms[rules.select(count)] ?? forms.other ?? '', { shown: number(count) });
    },
    refusal: ({ error, description }) =>
      error === 'line_lost' ? texts.plain['servers.line_lost'] : (texts.refusals[error] ?? description),
    link: (path) => path + texts.query,
  };
}
