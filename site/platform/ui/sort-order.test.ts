import { expect, test } from 'vitest';
import { movedTo, readOrder } from './sort-order.ts';

test.each([
  ['c', 0, 'cab'],
  ['a', 2, 'bca'],
  ['a', 1, 'bac'],
  ['b', -5, 'bac'],
  ['b', 99, 'acb'],
  ['x', 0, 'abc'],
])('%s moved to %i gives %s', (id, to, order) => {
  expect(movedTo(['a', 'b', 'c'], id, to).join('')).toBe(order);
});

test.each([
  ['a b c', undefined, 'abc'],
  [' a  b a c ', '', 'abc'],
  ['a b c', 'up c', 'acb'],
  ['a b c', 'down a', 'bac'],
  ['a b c', 'up a', 'abc'],
  ['a b c', 'down c', 'abc'],
  ['a b c', 'up x', 'abc'],
  ['a b c', 'sideways a', 'abc'],
  ['', 'up a', ''],
])('the order %j with the button %j is %s', (order, move, read) => {
  expect(readOrder(order, move).join('')).toBe(read);
});
