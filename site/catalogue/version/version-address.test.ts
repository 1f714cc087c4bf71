import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { requestedVersion, versionAddress } from './version-address.ts';

const project = {
  id: 'AABBCCDD',
  slug: 'lanternroot',
  project_type: 'mod',
  loaders: [],
} as unknown as Project;
const version = (id: string, version_number: string, date_published: string) => ({
  id,
  version_number,
  date_published,
});
const end = (one: ReturnType<typeof version>, all = [one]) =>
  versionAddress(project, one, all as never)
    .split('/')
    .at(-1);

test('an address ends in the number, or in the id when an older version has the number', () => {
  const [older, newer] = [version('A', '1.0+x', '2024-01-01'), version('B', '1.0+x', '2024-01-02')];
  expect(end(older, [newer, older])).toBe('1.0%2Bx');
  expect(end(newer, [newer, older])).toBe('B');
});

/** Pages of their own below `version/`. */
const pages = readdirSync(new URL('../../pages/[type]/[id]/version', import.meta.url))
  .filter((name) => name.endsWith('.astro') && !name.startsWith('['))
  .map((name) => name.slice(0, -'.astro'.length));

test.each([...pages, '.', '..'])(
  'with the number %j, which leads to another page, the id is used',
  (number) => {
    expect(end(version('A', number, '2024-01-01'))).toBe('A');
  },
);

test('with the id of another version as its number, the id is used; with its own, either', () => {
  const [one, other] = [version('A', 'B', '2024-01-01'), version('B', 'B', '2024-01-02')];
  expect(end(one, [one, other])).toBe('A');
  expect(end(other, [other])).toBe('B');
});

test('a number with reserved signs is found again in its address', () => {
  expect(requestedVersion('1.0.0%2Bmod')).toBe('1.0.0+mod');
  expect(requestedVersion('1.0.0+mod')).toBe('1.0.0+mod');
  expect([requestedVersion('100%'), requestedVersion(undefined)]).toEqual(['100%', '']);
});
