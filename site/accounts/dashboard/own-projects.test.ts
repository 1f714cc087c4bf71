import { expect, test } from 'vitest';
import type { MemberProject } from '#db/catalogue/projects/of-member.ts';
import { type BulkLinkColumn, bulkLinks } from '#db/catalogue/projects/stored-fields.ts';
import { filterOwnProjects, ownProjectsQuery, parseOwnProjects } from './own-projects.ts';

const project = (id: string, given: Partial<MemberProject> = {}): MemberProject => ({
  id,
  slug: id,
  title: id.toUpperCase(),
  icon_url: null,
  project_type: 'mod',
  project_types: ['mod'],
  loaders: ['fabric'],
  status: 'approved',
  downloads: 0,
  followers: 0,
  updated: '2026-01-01T00:00:00Z',
  organization: null,
  categories: [],
  additional_categories: [],
  ...(Object.fromEntries(bulkLinks.map((column) => [column, null])) as Record<BulkLinkColumn, null>),
  donation_urls: [],
  editable: true,
  counted: true,
  ...given,
});
const guild = { slug: 'guild', name: 'The Guild' };
const projects = [
  project('a', { downloads: 5, organization: guild, updated: '2026-03-01T00:00:00Z' }),
  project('b', { downloads: 9, status: 'draft', project_types: ['plugin'], loaders: [] }),
  project('c', { followers: 3, loaders: ['paper'], updated: '2026-02-01T00:00:00Z' }),
];

test.each([
  ['', 'acb'],
  ['s=name', 'abc'],
  ['s=downloads', 'bac'],
  ['s=followers', 'cab'],
  ['s=status', 'acb'],
  ['status=draft', 'b'],
  ['status=nonsense', 'acb'],
  ['type=plugin', 'cb'],
  ['type=mod', 'a'],
  ['owner=guild', 'a'],
  ['owner=own', 'cb'],
  ['owner=nobody', ''],
  ['q=GUILD', 'a'],
  ['q=b&status=draft', 'b'],
  ['q=b&status=approved', ''],
])('%j lists %j', (query, found) => {
  const state = parseOwnProjects(new URLSearchParams(query));
  expect(
    filterOwnProjects(projects, state)
      .map(({ id }) => id)
      .join(''),
  ).toBe(found);
});

test('a query is the state without defaults', () => {
  const query = '?q=fern&status=draft&type=plugin&owner=own&s=name&page=3';
  expect(ownProjectsQuery(parseOwnProjects(new URLSearchParams(query)))).toBe(query);
  expect(
    ownProjectsQuery(parseOwnProjects(new URLSearchParams('status=x&type=y&owner=%20&s=z&page=0'))),
  ).toBe('');
});
