import { expect, test } from 'vitest';
import type { PackEntry } from '#db/catalogue/versions/pack-contents/read.ts';
import { comparePacks } from './compare-packs.ts';
import { groupEntries, kindOf, matching } from './group-entries.ts';

const project = (slug: string, loaders: string[] = ['fabric'], project_type = 'mod') => ({
  ...{ id: `id-${slug}`, slug, title: slug, project_type, project_types: [project_type] },
  ...{ loaders, icon_url: null },
});
const plain = { bytes: 1, sha1: null, client: null, server: null, is_override: false };
const hosted = (slug: string, version: string | null, given: Partial<PackEntry> = {}): PackEntry => ({
  ...plain,
  path: `mods/${slug}-${version}.jar`,
  hosted: {
    project: project(slug),
    version: version === null ? null : { id: `${slug} ${version}`, version_number: version },
  },
  ...given,
});
const file = (path: string, given: Partial<PackEntry> = {}): PackEntry => ({
  ...plain,
  path,
  hosted: null,
  ...given,
});

test.each<[string, PackEntry[], PackEntry[], Record<'added' | 'removed' | 'updated', string[]>]>([
  ['nothing', [hosted('a', '1')], [hosted('a', '1')], { added: [], removed: [], updated: [] }],
  ['a new project', [], [hosted('a', '1')], { added: ['mods/a-1.jar'], removed: [], updated: [] }],
  ['a project that is gone', [hosted('a', '1')], [], { added: [], removed: ['mods/a-1.jar'], updated: [] }],
  [
    'another version',
    [hosted('a', '1'), hosted('b', '1')],
    [hosted('b', '2'), hosted('a', '1')],
    { added: [], removed: [], updated: ['mods/b-1.jar mods/b-2.jar'] },
  ],
  [
    'the same files in another folder',
    [file('x.jar', { sha1: 'a' })],
    [file('mods/x.jar', { sha1: 'a' })],
    { added: [], removed: [], updated: [] },
  ],
  [
    'a file with other bytes',
    [file('mods/x.jar', { sha1: 'a' })],
    [file('mods/x.jar', { sha1: 'b' })],
    { added: [], removed: [], updated: ['mods/x.jar mods/x.jar'] },
  ],
  [
    'a file of the archive with another size',
    [file('mods/x.jar')],
    [file('mods/x.jar', { bytes: 2 })],
    { added: [], removed: [], updated: ['mods/x.jar mods/x.jar'] },
  ],
  [
    'one of two versions of a project',
    [hosted('a', '1'), hosted('a', '2')],
    [hosted('a', '1'), hosted('a', '3'), hosted('a', '4')],
    { added: ['mods/a-4.jar'], removed: [], updated: ['mods/a-2.jar mods/a-3.jar'] },
  ],
])('tells %s', (_, before, after, expected) => {
  const { added, removed, updated } = comparePacks(before, after);
  expect({
    added: added.map(({ path }) => path),
    removed: removed.map(({ path }) => path),
    updated: updated.map((one) => `${one.before.path} ${one.after.path}`),
  }).toEqual(expected);
});

test('what is in a pack is listed by kind, files from elsewhere last, each by name', () => {
  const plugin = { project: project('both', ['fabric', 'paper']), version: null };
  const entries = [
    file('mods/unknown.jar'),
    hosted('b10', '1'),
    hosted('b9', '1'),
    hosted('sky', '1', { path: 'shaderpacks/sky.zip' }),
    hosted('paint', '1', { path: 'resourcepacks/paint.zip' }),
    hosted('recorded', '1', { path: '' }),
  ];
  expect(
    groupEntries(entries, 'en-US').map(({ kind, entries: of }) => [
      kind,
      of.map(({ hosted, path }) => hosted?.project.title ?? path),
    ]),
  ).toEqual([
    ['mod', ['b9', 'b10', 'recorded']],
    ['resourcepack', ['paint']],
    ['shader', ['sky']],
    [null, ['mods/unknown.jar']],
  ]);
  // a project of several kinds is what its folder says
  expect([kindOf(file('mods/both.jar', { hosted: plugin })), kindOf(file('', { hosted: plugin }))]).toEqual([
    'mod',
    'plugin',
  ]);
});

test('the list is narrowed by name, version number and path, whatever the case', () => {
  const entries = [hosted('Lantern', '2.4.1'), hosted('b', '1'), file('mods/Config-X.jar')];
  const found = (text: string) => matching(entries, text).map(({ path }) => path);
  expect(found(' lanTERN ')).toEqual(['mods/Lantern-2.4.1.jar']);
  expect(found('2.4')).toEqual(['mods/Lantern-2.4.1.jar']);
  expect(found('config-x')).toEqual(['mods/Config-X.jar']);
  expect(found('')).toHaveLength(3);
  expect(found('none')).toEqual([]);
});
