import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { zipEntryName } from './zip-names.ts';

const raw = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
/** The field of an entry that has its name as UTF-8. */
function unicodeField(of: Buffer, name: string) {
  const head = Buffer.alloc(5);
  head.writeUInt8(1);
  head.writeUInt32LE(crc32(of), 1);
  return { id: 0x7075, data: Buffer.concat([head, Buffer.from(name)]) };
}

it.each<[what: string, flags: number, bytes: Buffer, name: string, unclear: boolean]>([
  ['plain text', 0, raw('a/b.txt'), 'a/b.txt', false],
  ['UTF-8 with its flag', 0x800, Buffer.from('мир/é.txt'), 'мир/é.txt', false],
  ['UTF-8 without its flag', 0, Buffer.from('мир/é.txt'), 'мир/é.txt', false],
  ['decomposed UTF-8 without its flag', 0, Buffer.from('e\u0301'), 'e\u0301', false],
  ['CP437', 0, raw('\x82.txt'), 'é.txt', true],
  ['GBK, which cannot be told from CP437', 0, raw('\xb2\xe2'), '▓Γ', true],
  ['Shift JIS, which cannot either', 0, raw('\x92n\x90}'), 'Æn\u00c9}', true],
  ['CP1251, which cannot either', 0, raw('\xec\xe8\xf0'), '∞Φ≡', true],
  ['the flag for what is no UTF-8', 0x800, raw('caf\xe9'), 'caf\uefe9', true],
])('the name of an entry: %s', (_, generalPurposeBitFlag, fileNameRaw, name, unclear) => {
  const entry = { generalPurposeBitFlag, fileNameRaw, extraFields: [] };
  expect(zipEntryName(entry, { strict: true })).toEqual({ name, unclear });
});

it('prefers the name in the Unicode field, when it is that of these bytes', () => {
  const fileNameRaw = raw('\xb2\xe2');
  const named = (extraFields: ReturnType<typeof unicodeField>[]) =>
    zipEntryName({ generalPurposeBitFlag: 0, fileNameRaw, extraFields }, { strict: true });
  expect(named([unicodeField(fileNameRaw, '测')])).toEqual({ name: '测', unclear: false });
  expect(named([unicodeField(raw('other'), '测')])).toEqual({ name: '▓Γ', unclear: true });
});

it('keeps a backslash only when it is strict', () => {
  const entry = { generalPurposeBitFlag: 0, fileNameRaw: raw('a\\b'), extraFields: [] };
  expect(zipEntryName(entry, { strict: true }).name).toBe('a\\b');
  expect(zipEntryName(entry, { strict: false }).name).toBe('a/b');
});
