import { describe, expect, test } from 'vitest';
import { forgedZip, sourceOf, zipOf } from '../../testing/zips.ts';
import { parseSettings } from '../runtime/env.ts';
import { type Inspection, inspect } from './archive.ts';

const released = {
  'a1.0.1_01': '2010-07-04T00:00:00Z',
  'a1.2.3': '2010-11-24T09:23:00Z',
  '1.5.2': '2013-05-02T15:45:00Z',
  '13w24a': '2013-06-13T15:32:23Z',
  '1.12.2': '2017-09-18T08:39:46Z',
  '17w43a': '2017-10-25T14:43:50Z',
  '1.13.1': '2018-08-22T14:03:42Z',
  '1.13.2': '2018-10-22T11:41:07Z',
  '1.18.1': '2021-12-10T08:23:00Z',
  '1.18.2': '2022-02-28T10:42:45Z',
  '1.21.1': '2024-08-08T12:24:45Z',
};
type Released = keyof typeof released;

interface Upload {
  loaders: string[];
  versions?: Released[];
  type?: string | null;
}
const style = async (
  filename: string,
  content: Record<string, string> | Buffer,
  { loaders, versions = ['1.21.1'], type = null }: Upload,
): Promise<Inspection> => {
  const bytes = sourceOf(Buffer.isBuffer(content) ? content : await zipOf(content));
  const game_versions = versions.map((version) => ({ version, date: released[version] }));
  const version = { loaders, game_versions, file_type: type };
  return await inspect({ filename, content: bytes }, version, parseSettings({}));
};
/** `passes`, `warning code` or `problem code`. */
const verdict = ({ problem, warning }: Inspection) =>
  problem ? `problem ${problem.code}` : warning ? `warning ${warning.code}` : 'passes';

const bukkit = ['bukkit', 'spigot', 'paper', 'purpur', 'folia'];
/** From api-v3 §9.2: loader, extensions, alternatives of required content, a game version in the window. */
const table: Array<[loader: string, extensions: string[], enough: string[][], inWindow?: Released]> = [
  ['fabric', ['jar'], [['fabric.mod.json']]],
  ['forge', ['jar', 'zip'], [['META-INF/mods.toml'], ['META-INF/MANIFEST.MF'], ['a/B.class']], '1.13.2'],
  ['forge', ['jar', 'zip'], [['mcmod.info'], ['META-INF/MANIFEST.MF'], ['a/B.class']], '1.13.1'],
  [
    'neoforge',
    ['jar', 'zip'],
    [['META-INF/mods.toml'], ['META-INF/neoforge.mods.toml'], ['META-INF/MANIFEST.MF'], ['B.class']],
  ],
  ['quilt', ['jar', 'zip'], [['quilt.mod.json'], ['fabric.mod.json']], '1.18.2'],
  ['liteloader', ['litemod', 'jar'], [['litemod.json']]],
  ['rift', ['jar'], [['riftmod.json']]],
  ...bukkit.map((loader): [string, string[], string[][]] => [
    loader,
    ['zip', 'jar'],
    [['plugin.yml'], ['paper-plugin.yml']],
  ]),
  ['bungeecord', ['zip', 'jar'], [['plugin.yml'], ['bungee.yml']]],
  ['waterfall', ['zip', 'jar'], [['plugin.yml'], ['bungee.yml']]],
  ['velocity', ['zip', 'jar'], [['velocity-plugin.json']]],
  ['sponge', ['zip', 'jar'], [['sponge_plugins.json'], ['mcmod.info'], ['META-INF/sponge_plugins.json']]],
  ['datapack', ['zip'], [['pack.mcmeta']], '17w43a'],
  ['minecraft', ['zip'], [['pack.mcmeta']], '13w24a'],
  ['minecraft', ['zip'], [['pack.txt']], '1.5.2'],
  ['minecraft', ['zip'], [['pack.txt']], 'a1.2.3'],
  ['optifine', ['zip'], [['shaders/final.fsh'], ['shaders/']]],
  ['iris', ['zip'], [['shaders/final.fsh']]],
  ['canvas', ['zip'], [['pack.mcmeta', 'assets/x/pipelines/x.json5']]],
  ['vanilla', ['zip'], [['pack.mcmeta', 'assets/minecraft/shaders/core/x.fsh']]],
];

describe.each(table)('%s files (%j)', (loader, extensions, enough, inWindow) => {
  const upload = { loaders: [loader], versions: inWindow ? [inWindow] : undefined };
  const allowed = ['jar', 'zip', 'litemod', 'mrpack', 'asc', 'gpg', 'sig'];

  test('pass with each sufficient content, in every extension of the loader', async () => {
    for (const extension of extensions)
      for (const names of enough) {
        const content = Object.fromEntries(names.map((name) => [name, '']));
        expect([names, extension, verdict(await style(`f.${extension}`, content, upload))]).toEqual([
          names,
          extension,
          'passes',
        ]);
      }
  });
  test('get a warning without it, with it in a folder that does not count, and with only half of it', async () => {
    const lacking = [
      ['other.txt'],
      ...enough.flatMap((names) => (names.length > 1 ? names.map((name) => [name]) : [])),
    ];
    if (!['shaders', 'a', 'B', 'META-INF'].includes(enough[0]![0]!.split(/[./]/)[0]!))
      lacking.push(enough[0]!.map((name) => `sub/${name}`).slice(0, 1));
    for (const names of lacking) {
      const found = await style(
        `f.${extensions[0]}`,
        Object.fromEntries(names.map((name) => [name, ''])),
        upload,
      );
      expect([names, verdict(found)]).toEqual([names, 'warning loader_entry_missing']);
      expect(found.warning!.data).toMatchObject({ loader, filename: `f.${extensions[0]}` });
    }
  });
  test('get a warning as zip and are refused with other extensions', async () => {
    for (const extension of allowed.filter((one) => !extensions.includes(one)))
      expect([extension, verdict(await style(`f.${extension}`, { x: '' }, upload))]).toEqual([
        extension,
        extension === 'zip' ? 'warning loader_extension_wrong' : 'problem loader_extension_wrong',
      ]);
  });
});

test.each<[string, Released, string]>([
  ['quilt', '1.18.1', 'passes'],
  ['datapack', '1.12.2', 'passes'],
  ['minecraft', 'a1.0.1_01', 'passes'],
  ['minecraft', '13w24a', 'warning loader_entry_missing'],
  ['fabric', 'a1.0.1_01', 'warning loader_entry_missing'],
])('%s on %s outside or inside its game version window: %s', async (loader, version, expected) => {
  const extension = loader === 'fabric' ? 'jar' : 'zip';
  expect(verdict(await style(`f.${extension}`, { x: '' }, { loaders: [loader], versions: [version] }))).toBe(
    expected,
  );
});

test('a version for old and new Forge must satisfy both checks', async () => {
  const both = { loaders: ['forge'], versions: ['1.13.1', '1.13.2'] as Released[] };
  expect(verdict(await style('f.jar', { 'mcmod.info': '' }, both))).toBe('warning loader_entry_missing');
  expect(verdict(await style('f.jar', { 'mcmod.info': '', 'META-INF/mods.toml': '' }, both))).toBe('passes');
});

test('of several loaders only those that take the extension are checked', async () => {
  const upload = { loaders: ['fabric', 'datapack'] };
  expect(verdict(await style('f.jar', { 'fabric.mod.json': '' }, upload))).toBe('passes');
  expect(verdict(await style('f.zip', { 'pack.mcmeta': '' }, upload))).toBe('passes');
  expect(verdict(await style('f.zip', { x: '' }, upload))).toBe('warning loader_entry_missing');
});

test('loaders without a check accept any content, but archives must be readable for every loader', async () => {
  const upload = { loaders: ['babric', 'java-agent', 'modloader'] };
  for (const extension of ['jar', 'zip', 'litemod', 'mrpack']) {
    expect(verdict(await style(`f.${extension}`, { x: '' }, upload))).toBe('passes');
    expect(verdict(await style(`f.${extension}`, Buffer.from('no zip'), upload))).toBe(
      'problem archive_unreadable',
    );
    expect(verdict(await style(`f.${extension}`, forgedZip([{ name: '../x' }]), upload))).toBe(
      'problem archive_entry_name_invalid',
    );
  }
  expect(verdict(await style('f.sig', Buffer.from('no zip'), upload))).toBe('passes');
});

test('refuses a protected resource pack', async () => {
  const bytes = (await zipOf({ 'pack.mcmeta': '{}', 'a.png': 'x' })).subarray(0, -40);
  expect(verdict(await style('f.zip', bytes, { loaders: ['minecraft'] }))).toBe('problem archive_unreadable');
});

test('accepts signatures for every loader when they are declared as such', async () => {
  for (const extension of ['asc', 'gpg', 'sig'])
    expect(
      verdict(
        await style(`m.jar.${extension}`, Buffer.from('-----BEGIN'), {
          loaders: ['fabric'],
          type: 'signature',
        }),
      ),
    ).toBe('passes');
  expect(
    verdict(await style('m.jar', { 'fabric.mod.json': '' }, { loaders: ['fabric'], type: 'signature' })),
  ).toBe('problem signature_type_invalid');
});

test('checks sources, dev, javadoc and unknown files like any other', async () => {
  for (const type of ['sources-jar', 'dev-jar', 'javadoc-jar', 'unknown']) {
    expect(verdict(await style('m.jar', { 'fabric.mod.json': '' }, { loaders: ['fabric'], type }))).toBe(
      'passes',
    );
    expect(verdict(await style('m.jar', { x: '' }, { loaders: ['fabric'], type }))).toBe(
      'warning loader_entry_missing',
    );
    expect(verdict(await style('m.jar', Buffer.from('x'), { loaders: ['fabric'], type }))).toBe(
      'problem archive_unreadable',
    );
  }
});

test('a resource pack next to a mod needs only pack.mcmeta', async () => {
  for (const type of ['required-resource-pack', 'optional-resource-pack']) {
    expect(
      verdict(await style('p.zip', { 'pack.mcmeta': '' }, { loaders: ['datapack', 'fabric'], type })),
    ).toBe('passes');
    expect(verdict(await style('p.zip', { 'fabric.mod.json': '' }, { loaders: ['fabric'], type }))).toBe(
      'warning loader_entry_missing',
    );
  }
});

test.each(['fabric', 'forge', 'neoforge', 'quilt', 'liteloader', 'rift'])(
  'warns about a modpack disguised as a %s mod',
  async (loader) => {
    const whole = { 'fabric.mod.json': '', 'META-INF/mods.toml': '', 'litemod.json': '', 'riftmod.json': '' };
    expect(verdict(await style('m.jar', { ...whole, 'mods/a.jar': '' }, { loaders: [loader] }))).toBe(
      'warning modpack_not_mrpack',
    );
    expect(
      verdict(
        await style('m.jar', { ...whole, 'manifest.json': '', 'modlist.html': '' }, { loaders: [loader] }),
      ),
    ).toBe('warning modpack_not_mrpack');
    expect(verdict(await style('m.jar', { ...whole, 'manifest.json': '' }, { loaders: [loader] }))).toBe(
      'passes',
    );
  },
);

test('refuses an invalid name before anything is opened', async () => {
  expect(verdict(await style('m.exe', Buffer.from(''), { loaders: ['fabric'] }))).toBe(
    'problem file_type_unsupported',
  );
  expect(verdict(await style('a/m.jar', Buffer.from(''), { loaders: ['fabric'] }))).toBe(
    'problem file_name_invalid',
  );
});

const index = {
  game: 'minecraft',
  formatVersion: 1,
  versionId: '1',
  name: 'Pack',
  files: [],
  dependencies: { minecraft: '1.21.1' },
};
test('gives the index and the entry names of a modpack; warns without an index', async () => {
  const good = await style(
    'p.mrpack',
    { 'modrinth.index.json': JSON.stringify(index), 'overrides/mods/a.jar': '' },
    { loaders: ['mrpack'] },
  );
  expect(good).toMatchObject({
    problem: null,
    warning: null,
    mrpack: { name: 'Pack' },
    entries: ['modrinth.index.json', 'overrides/mods/a.jar'],
  });
  expect(verdict(await style('p.mrpack', { x: '' }, { loaders: ['mrpack'] }))).toBe(
    'warning mrpack_index_missing',
  );
  expect(
    verdict(await style('p.mrpack', { 'modrinth.index.json': '{"game":' }, { loaders: ['mrpack'] })),
  ).toBe('problem mrpack_index_malformed');
  expect(
    verdict(
      await style('p.mrpack', { 'modrinth.index.json': JSON.stringify(index) }, { loaders: ['mrpack'] }),
    ),
  ).toBe('problem mrpack_empty');
});

test('accepts modpack downloads from this installation too', async () => {
  const file = {
    path: 'mods/a.jar',
    hashes: { sha1: 'a', sha512: 'b' },
    downloads: ['http://localhost:4321/data/a/versions/b/a.jar'],
    fileSize: 1,
  };
  const content = { 'modrinth.index.json': JSON.stringify({ ...index, files: [file] }) };
  expect(verdict(await style('p.mrpack', content, { loaders: ['mrpack'] }))).toBe('passes');
});
