import { expect, test } from 'vitest';
import { parsePerson } from './viewer.store.ts';

test('whoever was here last is remembered by name and picture', () => {
  const fen = { username: 'fen', avatar_url: null };
  expect(parsePerson(JSON.stringify({ ...fen, role: 'admin' }))).toEqual(fen);
  expect(parsePerson('{"username":"fen","avatar_url":7}')).toEqual(fen);
});

test('anything else is nobody', () => {
  for (const text of [null, '', '{', 'null', '7', '{}', '{"username":""}', '{"username":7}'])
    expect([text, parsePerson(text)]).toEqual([text, null]);
});
