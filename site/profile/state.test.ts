import { expect, test } from 'vitest';
import { parseList, queryOf } from './state.ts';

const around = (query: string) => queryOf(parseList(new URLSearchParams(query)));

test('an address says what is not the default, always in the same way', () => {
  expect(around('page=2&s=newest&q=+low++sun+')).toBe('?q=low++sun&s=newest&page=2');
  expect(around('q=&s=downloads&page=1')).toBe('');
});

test('what is not understood counts as absent', () => {
  for (const query of ['s=size', 'page=-1', 'page=x', 'page=99999999999', 'v=1.20', 'q=%20'])
    expect(around(query)).toBe('');
  expect(parseList(new URLSearchParams(`q=${'x'.repeat(5000)}`)).text).toHaveLength(200);
});
