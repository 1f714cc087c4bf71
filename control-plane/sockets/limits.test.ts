import { describe, expect, it } from 'vitest';
import { ConnectionCounter } from './limits.ts';

describe('a connection counter', () => {
  it('counts what is there, not what was', () => {
    const counter = new ConnectionCounter();
    expect([1, 2, 3].map(() => counter.enter('a', 2))).toEqual([true, true, false]);
    counter.leave('a');
    expect([counter.enter('a', 2), counter.enter('a', 2), counter.enter('b', 1)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
