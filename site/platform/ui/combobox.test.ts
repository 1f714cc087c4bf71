import { expect, test } from 'vitest';
import { matching, moved } from './combobox.ts';

test('a query finds every text with all its words, ignoring accents and case', () => {
  const texts = ['Café de la Paix', 'Deep Cave', 'Paix'];
  expect(matching(texts, '')).toEqual([0, 1, 2]);
  expect(matching(texts, 'CAFE paix')).toEqual([0]);
  expect(matching(texts, 'ca')).toEqual([0, 1]);
  expect(matching(texts, 'nowhere')).toEqual([]);
});

test('what was typed exactly stands first, then what begins with it', () => {
  const texts = ['Apple MIT (AML)', 'Mitre (M)', 'The License (MIT)', 'MIT'];
  expect(matching(texts, 'mit ')).toEqual([2, 3, 1, 0]);
});

test('arrow keys wrap around, and start at the near end', () => {
  expect([moved(2, 1, 3), moved(0, -1, 3), moved(1, 1, 3)]).toEqual([0, 2, 2]);
  expect([moved(-1, 1, 3), moved(-1, -1, 3), moved(-1, 1, 0)]).toEqual([0, 2, -1]);
});
