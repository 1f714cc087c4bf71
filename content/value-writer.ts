import { amountText } from './amount.ts';
import type { MessageKey } from './keys.ts';
import type { Messages, Values } from './messages.ts';
import { utcTime } from './utc-time.ts';

/**
 * Writes what stands in the sentences of notifications, in the language of `messages`; `name` says how the place writes what people
 * chose.
 */
export function valueWriter(messages: Messages, name: (text: string) => string = (text) => text) {
  const { t, formatting } = messages;
  let numbers: Intl.NumberFormat | undefined;
  return {
    name,
    number(value: number): string {
      numbers ??= new Intl.NumberFormat(formatting);
      return numbers.format(value);
    },
    percent: (share: number): string =>
      new Intl.NumberFormat(formatting, { style: 'percent', maximumFractionDigits: 1 }).format(share),
    amount: (minor: number, currency: string): string => amountText(messages, minor, currency),
    time: (at: string): string => utcTime(messages, at),
    list: (items: readonly string[]): string =>
      new Intl.ListFormat(formatting, { type: 'conjunction' }).format(items),
    text: (key: string, values?: Values): string => t(key as MessageKey, values),
  };
}
