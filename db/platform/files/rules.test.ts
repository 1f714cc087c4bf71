import { expect, test } from 'vitest';
import { extensionOf, fileTypes, whyNotName, whyNotType } from './rules.ts';

test.each([
  'mod.jar',
  'Mod 1.2+3 [fabric].jar',
  'пак.zip',
  'a.litemod',
  'pack.MRPACK',
  'mod.jar.asc',
  'x.gpg',
  'x.sig',
  '.hidden.jar',
  'console.jar',
  'com10.jar',
  'nullable.zip',
])('allows the file name %j', (name) => expect(whyNotName(name)).toBeNull());

const reservedNames = [
  'CON',
  'PRN',
  'AUX',
  'NUL',
  'CONIN$',
  'CONOUT$',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`COM${n}`, `LPT${n}`]),
];
test.each([
  '',
  '.',
  '..',
  'a/b.jar',
  '/a.jar',
  '..\\a.jar',
  'a\\b.jar',
  'C:a.jar',
  'c:\\a.jar',
  'a\0.jar',
  'a\n.jar',
  'a\r\n.jar',
  'a\u202egnp.jar',
  'a\u2066b.jar',
  `${'x'.repeat(252)}.jar`,
  `${'ü'.repeat(126)}.jar`,
  ...reservedNames.flatMap((name) => [`${name}.jar`, `${name.toLowerCase()}.tar.zip`, `${name} .jar`, name]),
])('refuses the file name %j', (name) => expect(whyNotName(name)).toBe('file_name_invalid'));

test.each(['mod', 'mod.', 'mod.exe', 'mod.jar.txt', 'mod.jar ', 'mod.class', 'mod.7z', 'mod.constructor'])(
  'refuses the extension of %j',
  (name) => expect(whyNotName(name)).toBe('file_type_unsupported'),
);

test('takes the text after the last dot as extension', () => {
  expect(['a.tar.ZIP', 'a', '.jar', 'a.'].map(extensionOf)).toEqual(['zip', '', 'jar', '']);
});

test('requires an extension only for signatures', () => {
  for (const type of [...fileTypes, null])
    for (const ext of ['jar', 'zip', 'litemod', 'mrpack', 'asc', 'gpg', 'sig'])
      expect([type, ext, whyNotType(`f.${ext}`, type)]).toEqual([
        type,
        ext,
        type === 'signature' && !['asc', 'gpg', 'sig'].includes(ext) ? 'signature_type_invalid' : null,
      ]);
});
