import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { kinds } from '../project/types.ts';
import { groupsOf } from './groups.ts';
import { parseState } from './state.ts';

const versions = [
  { version: '25w01a', version_type: 'snapshot', date: '', major: false },
  { version: '1.21', version_type: 'release', date: '', major: true },
  { version: '1.20', version_type: 'release', date: '', major: true },
] as const;
const groups = (type: (typeof kinds)[number]['type'], query = '') =>
  groupsOf(messages('en-US'), type, versions, parseState(new URLSearchParams(query)), () => '');

test('each kind offers its own loaders and categories', () => {
  const titles = Object.fromEntries(
    kinds.map(({ type }) => [
      type,
      [...groups(type).loaders, ...groups(type).categories].map(({ title }) => title),
    ]),
  );
  expect(titles).toEqual({
    mod: ['Loader', 'Categories'],
    modpack: ['Loader', 'Categories'],
    plugin: ['Loader', 'Platform', 'Categories'],
    datapack: ['Categories'],
    resourcepack: ['Categories', 'Features', 'Resolutions'],
    shader: ['Loader', 'Categories', 'Features', 'Performance impact'],
  });
});

test('only mods and modpacks say where they run', () => {
  expect(kinds.filter(({ type }) => groups(type).sides).map(({ type }) => type)).toEqual(['mod', 'modpack']);
});

test('snapshots are listed when asked for or chosen, chosen versions first', () => {
  const listed = (query: string) => groups('mod', query).versions.map(({ value }) => value);
  expect(listed('')).toEqual(['1.21', '1.20']);
  expect(listed('h=1')).toEqual(['25w01a', '1.21', '1.20']);
  expect(listed('v=25w01a')).toEqual(['25w01a', '1.21', '1.20']);
  expect(listed('v=1.20')).toEqual(['1.20', '1.21']);
});
