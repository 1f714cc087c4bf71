import { createHash } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A deterministic id per text: 8 base62 characters, the first a letter or digit above 0. */
export function demoId(text: string): string {
  let value = createHash('sha256').update(`cairn demo ${text}`).digest().readBigUInt64BE();
  let id = digits[1 + Number(value % 61n)]!;
  for (let i = 0; i < 7; i++) {
    value /= 61n;
    id += digits[Number(value % 62n)];
  }
  return id;
}
