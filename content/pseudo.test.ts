import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import { pseudo } from './pseudo.ts';

const plural = "{count, plural, =0 {No 'files' yet} one {# file by {name}} other {# files by <b>{name}</b>}}";
const displayed = (text: string, values: Record<string, string | number>) =>
  new IntlMessageFormat(text, 'en-US', undefined, { ignoreTag: true }).format(values);

test('an accented message keeps its plurals, arguments and tags', () => {
  const text = pseudo('accented', plural);
  expect(displayed(text, { count: 0, name: 'Ann' })).toBe("Ñö· 'ƒîļéš··' ýéţ·");
  expect(displayed(text, { count: 1, name: 'Ann' })).toBe('1 ƒîļé· ƀý· Ann');
  expect(displayed(text, { count: 3, name: 'Ann' })).toBe('3 ƒîļéš·· ƀý· <b>Ann</b>');
});

test('a mirrored message wraps and lengthens every word, but no tags and arguments', () => {
  expect(displayed(pseudo('mirrored', 'Share <b>on</b> 3 {name}'), { name: 'Ann' })).toBe(
    '\u200f\u202eShare··\u202c\u200f <b>\u200f\u202eon·\u202c\u200f</b> \u200f\u202e3\u202c\u200f Ann',
  );
});

test('quoted braces stay text', () => {
  expect(displayed(pseudo('accented', "it''s '{x}' {a}"), { a: 'b' })).toBe("îţ·'š {ẋ} b");
});

test('a choice and an ordinal keep their kind', () => {
  const text = pseudo(
    'accented',
    '{side, select, a {on} other {off}} {n, selectordinal, one {#st} other {#th}}',
  );
  expect(displayed(text, { side: 'a', n: 1 })).toBe('öñ· 1šţ·');
});

test('an upside-down message is reversed, arguments included', () => {
  const text = pseudo('flipped', "{name}, it''s {count, plural, one {# file} other {# files}}.");
  expect(displayed(text, { name: 'Ann', count: 3 })).toBe('˙sǝꞁᴉɟ 3 s,ʇᴉ ‘Ann');
});

test('every letter has exactly one upside-down form', () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  expect([...String(displayed(pseudo('flipped', alphabet), {}))]).toHaveLength(alphabet.length);
});
