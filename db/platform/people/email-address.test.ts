import { expect, test } from 'vitest';
import { readableEmail, storedEmail, storedForms } from './email-address.ts';

test.each([
  ['a@example.org', 'a@example.org'],
  ['A.b@EXAMPLE.org', 'A.b@example.org'],
  [' a@example.org\u00a0', 'a@example.org'],
  ['a@example.org.', 'a@example.org'],
  ['a@bücher-laden.example', 'a@xn--bcher-laden-thb.example'],
  ['a@BÜCHER-laden.example', 'a@xn--bcher-laden-thb.example'],
  ['a@bu\u0308cher-laden.example', 'a@xn--bcher-laden-thb.example'],
  ['a@xn--bcher-laden-thb.example', 'a@xn--bcher-laden-thb.example'],
  ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
  ['jürgen@example.org', 'jürgen@example.org'],
  ['no address', 'no address'],
  ['', ''],
])('%j is stored as %j', (text, stored) => {
  expect(storedEmail(text)).toBe(stored);
  expect(storedEmail(stored)).toBe(stored);
  expect(storedForms(text)).toContain(stored);
});

test('people read the letters of their language', () => {
  expect(readableEmail('a@xn--bcher-laden-thb.example')).toBe('a@bücher-laden.example');
  expect(readableEmail('a@example.org')).toBe('a@example.org');
  expect(readableEmail('nothing')).toBe('nothing');
});
