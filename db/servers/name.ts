import { Refused } from '../errors.ts';
import { nameLengths } from './rules.ts';

/** The server name to store: trimmed and in NFC. Refuses `server_name_length`, for control characters too. */
export function serverName(text: string): string {
  const name = text.trim().normalize();
  const { length } = [...name];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const odd = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) || !name.isWellFormed();
  if (odd || length < nameLengths.least || length > nameLengths.most) throw new Refused('server_name_length');
  return name;
}
