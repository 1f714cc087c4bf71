import { expect, test } from 'vitest';
import { matching, moved } from './combobox.ts';

test('typing finds every text that has all its words, whatever marks and letter case', () => {
  const texts = ['Café de la Paix', 'Deep Cave', 'Paix'];
  expect(matching(texts, '')).toEqual([0, 1, 2]);
  expect(matching(texts, 'CAFE paix')).toEqual([0]);
  expect(matching(texts, 'ca')).toEqual([0, 1]);
  expect(matching(texts, 'nowhere')).toEqual([]);
});

test('arrows go around the ends and enter from nowhere at the near one', () => {
  expect([moved(2, 1, 3), moved(0, -1, 3), moved(1, 1, 3)]).toEqual([0, 2, 2]);
  expect([moved(-1, 1, 3), moved(-1, -1, 3), moved(-1, 1, 0)]).toEqual([0, 2, -1]);
});
