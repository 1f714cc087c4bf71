import { expect, test } from 'vitest';
import { parseUser } from './current-user.store.ts';

test('the last user is remembered by name and avatar', () => {
  const fen = { username: 'fen', avatar_url: null };
  expect(parseUser(JSON.stringify({ ...fen, role: 'admin' }))).toEqual(fen);
  expect(parseUser('{"username":"fen","avatar_url":7}')).toEqual(fen);
});

test('anything else is no user', () => {
  for (const text of [null, '', '{', 'null', '7', '{}', '{"username":""}', '{"username":7}'])
    expect([text, parseUser(text)]).toEqual([text, null]);
});
