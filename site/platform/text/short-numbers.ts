import type { Messages } from '#content/messages.ts';
import { decimals, exactNumber, once } from './format.ts';

/** Counts and parts in few characters. Apart from `format.ts`, which every page loads. Source: specification §9. */

/** What numbers need of the texts of a page or an island. */
interface NumberTexts {
  formatting: string;
  t(
    key: 'format.thousands' | 'format.millions' | (typeof compactUnits)[number][1],
    values: { number: string },
  ): string;
}

/** A count for lists: from 10,000 `12.3k`, from 1,000,000 `1.23M`, else in full. Source: specification §9. */
export function count(messages: NumberTexts, number: number): string {
  if (number >= 1_000_000) {
    return messages.t('format.millions', { number: decimals(messages, number / 1_000_000, 2) });
  }
  if (number >= 10_000)
    return messages.t('format.thousands', { number: decimals(messages, number / 1000, 1) });
  return exactNumber(messages, number);
}

const compactUnits = [
  [1e12, 'format.compact_t'],
  [1e9, 'format.compact_g'],
  [1e6, 'format.compact_m'],
  [1e3, 'format.compact_k'],
] as const;

/** A number in compact form: `950`, `1.2K`, `3.4M`, `5.6G`, `7.8T`, truncated. Source: specification §9. */
export function compact(messages: NumberTexts, number: number): string {
  for (const [unit, key] of compactUnits) {
    if (Math.abs(number) >= unit) return messages.t(key, { number: decimals(messages, number / unit, 1) });
  }
  return exactNumber(messages, number);
}

/** A part of a whole, 0 to 1, in percent with two digits. */
export const percent = ({ formatting }: Pick<Messages, 'formatting'>, part: number): string =>
  once(
    `${formatting} percent`,
    () => new Intl.NumberFormat(formatting, { style: 'percent', maximumSignificantDigits: 2 }),
  ).format(part);
