import type { Messages } from '#content/messages.ts';
import { decimals } from './format.ts';

const byteUnits = [
  [1024 ** 3, 'format.gibibytes'],
  [1024 ** 2, 'format.mebibytes'],
  [1024, 'format.kibibytes'],
] as const;

/** A size in bytes with base 1024 and two decimals: `1.50 MB`; below 1 KB in full. Source: decisions §1.7. */
export function bytes(messages: Messages, size: number): string {
  for (const [unit, key] of byteUnits) {
    if (size >= unit) return messages.t(key, { number: decimals(messages, size / unit, 2) });
  }
  return messages.t('format.bytes', { number: decimals(messages, size, 0) });
}
