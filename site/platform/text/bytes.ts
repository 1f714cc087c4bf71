import type { MessageKey } from '#content/keys.ts';
import { decimals } from './format.ts';

const units = [
  [1024 ** 3, 'format.gibibytes'],
  [1024 ** 2, 'format.mebibytes'],
  [1024, 'format.kibibytes'],
] as const;

/** The texts of a page, or of an island that gets `sizeTexts`. */
interface Texts {
  formatting: string;
  t(key: MessageKey, values: { number: string }): string;
}

/** The texts that an island needs for sizes. */
export const sizeTexts = [
  'format.bytes',
  'format.kibibytes',
  'format.mebibytes',
  'format.gibibytes',
] as const;

/** A size in bytes with base 1024 and two decimals: `1.50 MB`; below 1 KB in full. Source: decisions §1.7. */
export function sizeText(messages: Texts, size: number): string {
  for (const [unit, key] of units) {
    if (size >= unit) return messages.t(key, { number: decimals(messages, size / unit, 2) });
  }
  return messages.t('format.bytes', { number: decimals(messages, size, 0) });
}
