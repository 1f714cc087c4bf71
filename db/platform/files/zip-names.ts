import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { nameOfBytes } from './raw-names/rules.ts';

const is_utf8 = 0x800;

type NamedEntry = Pick<Entry, 'generalPurposeBitFlag' | 'fileNameRaw' | 'extraFields'>;

/**
 * The name of an entry, however it is written: by the Unicode field of the entry, as UTF-8 when its flag says so or its bytes are
 * valid UTF-8 without the flag, as many tools write it. Anything else has the encoding of some system, which no zip says: it is read
 * as CP437 and `unclear`. With `strict` a backslash stays, else it is a slash.
 */
export function zipEntryName(
  { generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields }: NamedEntry,
  { strict }: { strict: boolean },
): { name: string; unclear: boolean } {
  const said = getFileNameLowLevel(flags, raw, extraFields, strict);
  const plain = getFileNameLowLevel(flags, raw, [], strict);
  if (said !== plain) return { name: said, unclear: false };
  if (isUtf8(raw)) return { name: getFileNameLowLevel(flags | is_utf8, raw, [], strict), unclear: false };
  if ((flags & is_utf8) === 0) return { name: said, unclear: true };
  const name = nameOfBytes(raw);
  return { name: strict ? name : name.replaceAll('\\', '/'), unclear: true };
}
