import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { passwordFrom } from './password.ts';

test.each([
  ['the first line', 'three flat stones\nmore\n', 'three flat stones'],
  ['a line without an end', ' three flat stones ', ' three flat stones '],
  ['a line that ends as on Windows', 'three-flat-stones\r\n', 'three-flat-stones'],
])('reads a password from standard input: %s', async (_name, text, password) => {
  expect(await passwordFrom(undefined, Readable.from([text]))).toBe(password);
});

test('prefers the option, and refuses no password at all with a message', async () => {
  expect(await passwordFrom('given', Readable.from(['other\n']))).toBe('given');
  await expect(passwordFrom(undefined, Readable.from([]))).rejects.toThrow(/standard input/);
});
