import { expect, it } from 'vitest';
import { WaitingConnections } from './waiting.ts';

const connection = () => ({
  ended: false,
  destroy() {
    this.ended = true;
  },
});

it('whoever only opens connections keeps nobody from signing in', () => {
  const waiting = new WaitingConnections<ReturnType<typeof connection>>({
    waiting: 6,
    waiting_per_address: 2,
  });
  const flood = ['a', 'b', 'c'].flatMap((address) => [0, 1, 2].map(() => ({ address, one: connection() })));
  expect(flood.map(({ one, address }) => waiting.enter(one, address))).toEqual(
    ['a', 'b', 'c'].flatMap(() => [true, true, false]),
  );
  const other = connection();
  expect(waiting.enter(other, 'd')).toBe(true);
  // the oldest one made room
  expect(flood.map(({ one }) => one.ended)).toEqual([true, ...Array(8).fill(false)]);
  waiting.leave(other);
  for (let time = 0; time < 3; time++) waiting.leave(flood[1]!.one);
  expect(waiting.enter(connection(), 'a')).toBe(true);
});
