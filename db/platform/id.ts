import { createHash, randomInt } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random characters of the base62 alphabet (digits, upper, lower). */
export function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += digits[randomInt(62)];
  return text;
}

/** A new id: 8 random base62 characters, the first never 0. Source: api-v2 §1.2. */
export const newId = (): string => digits[1 + randomInt(61)] + randomText(7);

/** The id that follows from a text: what must be written once has the same id at every try. */
export function derivedId(text: string): string {
  let value = createHash('sha256').update(text).digest().readBigUInt64BE();
  let id = '';
  for (; value > 0n; value /= 62n) id = digits[Number(value % 62n)] + id;
  return id;
}

/** Of the things with these ids one each, in the order of the ids: clients pair answers with ids by position. */
export function inOrderOfIds<T extends { id: string }>(ids: readonly string[], things: Iterable<T>): T[] {
  const by_id = new Map<string, T>();
  for (const thing of things) by_id.set(thing.id, thing);
  return [...new Set(ids)].flatMap((id) => by_id.get(id) ?? []);
}

const largest = 2n ** 64n;

/** Whether `text` is a base62 number of up to 64 bits; otherwise an id in a typed position is a 400. */
export function isId(text: string): boolean {
  if (!/^[0-9A-Za-z]{1,11}$/.test(text)) return false;
  let value = 0n;
  for (const char of text) value = value * 62n + BigInt(digits.indexOf(char));
  return value < largest;
}
