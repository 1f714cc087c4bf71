import { expect, it } from 'vitest';
import {
  type Done,
  movesBack,
  nothingDone,
  takenBack,
  withDone,
  withRedone,
  withUndone,
} from './undo-stack.ts';

const move = (from: string, to: string): Done => ({ kind: 'move', moves: [{ from, to }] });

it('takes back the newest step, does it again, and forgets it after a new one', () => {
  const [a, b] = [move('a', 'x/a'), move('b', 'x/b')];
  const both = withDone(withDone(nothingDone, a), b);
  const back = withUndone(takenBack(both), b);
  expect(back).toEqual({ done: [a], undone: [b] });
  expect(withRedone(back, b)).toEqual(both);
  expect(withDone(back, move('c', 'd')).undone).toEqual([]);
});

it('keeps 50 steps', () => {
  let stack = nothingDone;
  for (let i = 0; i < 60; i++) stack = withDone(stack, move(`${i}`, 'x'));
  expect(stack.done).toHaveLength(50);
  expect(stack.done[0]).toEqual(move('10', 'x'));
});

it('moves back in the opposite order', () => {
  expect(
    movesBack([
      { from: 'a', to: 'b' },
      { from: 'c', to: 'b/c' },
    ]),
  ).toEqual([
    { from: 'b/c', to: 'c' },
    { from: 'b', to: 'a' },
  ]);
});
