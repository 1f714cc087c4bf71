import { expect, it } from 'vitest';
import { mustEnd, reserveOf, roomOf } from './reserve.ts';

it.each([
  [252_000, 66_000, 'enough'],
  [252_000, 2_048, 'enough'],
  [252_000, 2_047, 'low'],
  [252_000, 1_023, 'none'],
  [252_000, 511, 'exhausted'],
  [4_000, 400, 'enough'],
  [4_000, 399, 'low'],
  [4_000, 100, 'none'],
  [4_000, 0, 'exhausted'],
])('a disk of %i MB with %i MB free has room: %s', (all_mb, free_mb, room) => {
  expect(roomOf({ all_mb, free_mb })).toBe(room);
});

it('a reserve is a tenth of a small disk', () => {
  expect([reserveOf(4_000), reserveOf(1_000_000)]).toEqual([400, 2_048]);
});

it('ends servers without a limit of their own first, and all before images cannot be written', () => {
  const ended = (enforces_limit: boolean) =>
    (['enough', 'low', 'none', 'exhausted'] as const).filter((room) => mustEnd(room, enforces_limit));
  expect(ended(false)).toEqual(['none', 'exhausted']);
  expect(ended(true)).toEqual(['exhausted']);
});
