import { expect, test } from 'vitest';
import { acceptedCodings } from './accept-encoding.ts';

test.each([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['xbr', ['identity']],
  ['xbr, gzip-like', ['identity']],
  ['BR', ['br', 'identity']],
  ['gzip;q=1.0, br;q=0.5', ['gzip', 'br', 'identity']],
  ['br;q=0, gzip', ['gzip', 'identity']],
  ['identity', ['identity']],
  ['*;q=0', []],
])('Accept-Encoding %j accepts %j', (text, codings) => {
  const headers = text === undefined ? {} : { 'accept-encoding': text };
  expect(acceptedCodings(headers)).toEqual(codings);
});
