import { expect, test } from 'vitest';
import type { Card } from '#db/catalogue/collections/cards.ts';
import { parseList } from '../../platform/lists/list-query.ts';
import { typeInfo } from '../../platform/paths/project-types.ts';
import { filterItems, orders } from './state.ts';

const card = (id: string, given: Partial<Card> = {}): Card => ({
  id,
  slug: id,
  project_type: 'mod',
  loaders: ['fabric'],
  title: id,
  description: 'About it',
  author: 'wren',
  organization: null,
  icon_url: null,
  picture_url: null,
  categories: [],
  downloads: 0,
  followers: 0,
  date_created: '2026-01-01T00:00:00Z',
  note: null,
  updated: '2026-01-01T00:00:00Z',
  ...given,
});
const cards = [
  card('a', { downloads: 5, followers: 1, updated: '2026-03-01T00:00:00Z', description: 'Slow Rivers' }),
  card('b', { downloads: 9, project_type: 'shader', date_created: '2026-02-01T00:00:00Z' }),
  card('c', { downloads: 9, followers: 7, author: 'Rowan' }),
  card('d', { loaders: ['datapack'] }),
];
const ids = (query: string, type?: string) =>
  filterItems(cards, (type && typeInfo(type)) || null, parseList(new URLSearchParams(query), orders))
    .map(({ id }) => id)
    .join('');

test.each([
  ['', 'abcd'],
  ['s=downloads', 'bcad'],
  ['s=follows', 'cabd'],
  ['s=updated', 'abcd'],
  ['s=newest', 'bacd'],
  ['s=nonsense', 'abcd'],
  ['q=rivers+SLOW', 'a'],
  ['q=rowan', 'c'],
  ['q=nothing-like-this', ''],
])('%j gives %s', (query, found) => {
  expect(ids(query)).toBe(found);
});

test('a tab contains the projects of its type', () => {
  expect([ids('', 'mod'), ids('', 'shader'), ids('', 'datapack'), ids('', 'plugin')]).toEqual([
    'ac',
    'b',
    'd',
    '',
  ]);
});
