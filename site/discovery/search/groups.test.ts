import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';
import { groupsOf, knownOf } from './groups.ts';
import { parseState } from './state.ts';

const versions = [
  { version: '25w01a', version_type: 'snapshot', date: '', major: false },
  { version: '1.21', version_type: 'release', date: '', major: true },
  { version: '1.20', version_type: 'release', date: '', major: true },
] as const;
const groups = (type: (typeof projectTypes)[number]['type'], query = '') =>
  groupsOf(messages('en-US'), type, versions, parseState(new URLSearchParams(query)), () => '');

test('each type offers its own filters, visual ones first where images matter', () => {
  const titles = Object.fromEntries(
    projectTypes.map(({ type }) => [type, groups(type).map(({ title }) => title)]),
  );
  expect(titles).toEqual({
    mod: ['Game version', 'Loader', 'Categories', 'Runs on'],
    modpack: ['Game version', 'Loader', 'Categories', 'Runs on'],
    plugin: ['Game version', 'Loader', 'Proxy', 'Categories'],
    datapack: ['Game version', 'Categories'],
    resourcepack: ['Resolutions', 'Features', 'Categories', 'Game version'],
    shader: ['Performance impact', 'Features', 'Categories', 'Loader', 'Game version'],
  });
});

test('everything but resolutions can be excluded', () => {
  const fixed = projectTypes.flatMap(({ type }) => groups(type).filter(({ exclude }) => !exclude));
  expect(fixed.map(({ title }) => title)).toEqual(['Resolutions']);
});

test('parseState accepts every value that a filter offers', () => {
  for (const { type } of projectTypes) {
    const known = knownOf(type, versions);
    for (const { list, items, more } of groups(type)) {
      if (list === 'sides') continue;
      expect([...items, ...more].filter(({ value }) => !known[list].has(value))).toEqual([]);
    }
  }
});

test('snapshots are listed on request or when selected, selected versions first', () => {
  const listed = (query: string) =>
    groups('mod', query)
      .find(({ list }) => list === 'versions')
      ?.items.map(({ value }) => value);
  expect(listed('')).toEqual(['1.21', '1.20']);
  expect(listed('h=1')).toEqual(['25w01a', '1.21', '1.20']);
  expect(listed('nv=25w01a')).toEqual(['25w01a', '1.21', '1.20']);
  expect(listed('v=1.20')).toEqual(['1.20', '1.21']);
});
