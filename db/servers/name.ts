import { type RefusalCode, Refused } from '../errors.ts';
import { nameLengths } from './rules.ts';

const normalized = (text: string): string => text.trim().normalize();

/** Why a server cannot have this name, or null; control characters are refused too. */
export function whyNotName(text: string): RefusalCode | null {
  const name = normalized(text);
  const { length } = [...name];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const odd = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) || !name.isWellFormed();
  return odd || length < nameLengths.least || length > nameLengths.most ? 'server_name_length' : null;
}

/** The server name to store: trimmed and in NFC. Refuses as `whyNotName`. */
export function serverName(text: string): string {
  const why = whyNotName(text);
  if (why) throw new Refused(why);
  return normalized(text);
}
