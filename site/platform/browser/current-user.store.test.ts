import { expect, test } from 'vitest';
import { parseUser } from './current-user.store.ts';

test('the last user is remembered by name, avatar and role', () => {
  const fen = { username: 'fen', avatar_url: null, role: 'admin' };
  expect(parseUser(JSON.stringify({ ...fen, email: 'fen@example.org' }))).toEqual(fen);
  expect(parseUser('{"username":"fen","avatar_url":7}')).toEqual({ ...fen, role: 'developer' });
});

test('anything else is no user', () => {
  for (const text of [null, '', '{', 'null', '7', '{}', '{"username":""}', '{"username":7}'])
    expect([text, parseUser(text)]).toEqual([text, null]);
});
