import { expect, it } from 'vitest';
import { reserveOf, roomBelow } from './reserve.ts';

it.each([
  [252_000, 66_000, 'enough'],
  [252_000, 2_048, 'enough'],
  [252_000, 2_047, 'low'],
  [252_000, 1_023, 'none'],
  [4_000, 400, 'enough'],
  [4_000, 399, 'low'],
  [4_000, 0, 'none'],
])('a disk of %i MB with %i MB free has room: %s', async (all_mb, free_mb, room) => {
  expect(await roomBelow('/data', async () => ({ all_mb, free_mb }))).toBe(room);
});

it('a reserve is a tenth of a small disk', () => {
  expect([reserveOf(4_000), reserveOf(1_000_000)]).toEqual([400, 2_048]);
});
