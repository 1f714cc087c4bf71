import { type RefusalCode, Refused } from '../../platform/errors.ts';
import { hasOddCharacters, oneLine } from '../../platform/plain-text/rules.ts';
import { nameLengths } from './rules.ts';

const normalized = (text: string): string => oneLine(text).normalize();

/** Why a server cannot have this name, or null; control characters are refused too. */
export function whyNotName(text: string): RefusalCode | null {
  const { length } = [...normalized(text)];
  return hasOddCharacters(text) || length < nameLengths.least || length > nameLengths.most
    ? 'server_name_length'
    : null;
}

/** The server name to store: one line in NFC. Refuses as `whyNotName`. */
export function serverName(text: string): string {
  const why = whyNotName(text);
  if (why) throw new Refused(why);
  return normalized(text);
}
