import { expect, test } from 'vitest';
import { profileSorts } from '#db/catalogue/projects/profile-sorts.ts';
import { lastPage, parseList, queryOf } from './list-query.ts';

const parse = (query: string) => parseList(new URLSearchParams(query), profileSorts);
const around = (query: string) => queryOf(parse(query), profileSorts);

test('the query has no defaults, and a fixed order', () => {
  expect(around('page=2&s=newest&q=+low++sun+')).toBe('?q=low++sun&s=newest&page=2');
  expect(around('q=&s=downloads&page=1')).toBe('');
});

test('invalid values count as absent, of repeated keys the first counts', () => {
  for (const query of ['s=size', 'page=-1', 'page=0', 'page=x', 'page=1.5', 'page=', 'v=1.20', 'q=%20'])
    expect([query, around(query)]).toEqual([query, '']);
  expect(around('s=newest&s=updated&page=3&page=4&q=a&q=b')).toBe('?q=a&s=newest&page=3');
  expect(parse(`q=${'x'.repeat(5000)}`).text).toHaveLength(200);
});

test('a page far beyond the end is still parsed', () => {
  expect(parse('page=99999999999').page).toBe(10_000);
  expect(parse('page=1e400').page).toBe(1);
});

test('a list has at least one page', () => {
  expect([0, 1, 20, 21, 40].map((total) => lastPage(total, 20))).toEqual([1, 1, 1, 2, 2]);
});
