import { describe, expect, test } from 'vitest';
import { withArchive } from '../../platform/files/zip.ts';
import { sourceOf, zipOf } from '../../testing/zips.ts';
import { type ManifestReading, readManifests } from './read-manifests.ts';

const releases = '1.21.11 1.21.8 1.21.5 1.21.1 1.21 1.20.6 1.20.4 1.20.1 1.20 1.19.2 1.16.5 1.12.2';
const known = [
  { version: '25w14a', version_type: 'snapshot' },
  ...releases.split(' ').map((version) => ({ version, version_type: 'release' })),
  { version: '1.20-rc1', version_type: 'snapshot' },
];

type Entries = Record<string, string | object>;
async function read(entries: Entries, filename = 'a.jar'): Promise<ManifestReading> {
  const texts = Object.entries(entries).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const content = sourceOf(await zipOf(Object.fromEntries(texts)));
  return await withArchive({ filename, content }, (archive) => readManifests(archive, known));
}

const fabric = {
  schemaVersion: 1,
  id: 'lantern',
  version: '2.1.0-beta.3',
  name: 'Lantern',
  environment: 'client',
  depends: { minecraft: '>=1.20.1 <1.21', fabricloader: '>=0.15', 'fabric-api': '*', java: '>=17' },
  suggests: { candle: '*' },
  breaks: { dark: '*', dim: '<2' },
  jars: [{ file: 'META-INF/jars/wick-1.0.jar' }],
  license: 'MIT',
};

describe('the manifest of', () => {
  test('Fabric', async () => {
    expect(await read({ 'fabric.mod.json': fabric })).toEqual({
      name: 'Lantern',
      version_number: '2.1.0-beta.3',
      version_type: 'beta',
      loaders: ['fabric'],
      game_versions: ['1.20.6', '1.20.4', '1.20.1'],
      dependencies: [
        { id: 'fabric-api', dependency_type: 'required' },
        { id: 'candle', dependency_type: 'optional' },
        { id: 'dark', dependency_type: 'incompatible' },
        { id: 'wick-1.0.jar', dependency_type: 'embedded' },
      ],
      environment: 'client_only',
      license: 'MIT',
      modpack: false,
      problems: [],
    });
  });

  test.each([
    ['one in a list', ['Apache-2.0'], 'Apache-2.0'],
    ['an object', { id: 'MPL-2.0', name: 'Mozilla' }, 'MPL-2.0'],
    ['several', ['MIT', 'Apache-2.0'], null],
    ['words for none', 'All Rights Reserved', 'LicenseRef-All-Rights-Reserved'],
    ['a placeholder', `$${'{license}'}`, null],
    ['a number', 7, null],
  ])('%s as a license', async (_, license, read_as) => {
    const quilt = { quilt_loader: { id: 'a', version: '1', metadata: { license } } };
    expect((await read({ 'fabric.mod.json': { ...fabric, license } })).license).toBe(read_as);
    expect((await read({ 'quilt.mod.json': quilt })).license).toBe(read_as);
  });
  test('Forge, its license', async () => {
    const toml = 'license = "LGPL-3.0-only"\n[[mods]]\nmodId = "a"\nversion = "1"\n';
    expect((await read({ 'META-INF/mods.toml': toml })).license).toBe('LGPL-3.0-only');
  });

  test('Fabric with line breaks inside texts', async () => {
    const text =
      '{"id":"a","version":"1","description":"two\nlines","depends":{"minecraft":["1.20.1","1.20.4"]}}';
    const found = await read({ 'fabric.mod.json': text });
    expect(found).toMatchObject({ version_number: '1', game_versions: ['1.20.4', '1.20.1'], problems: [] });
  });

  test('Quilt', async () => {
    const quilt_loader = {
      id: 'lantern',
      version: '1.0.0',
      metadata: { name: 'Lantern' },
      depends: [
        { id: 'minecraft', versions: { any: ['1.20.1', '~1.21.5'] } },
        'org.example:wick',
        { id: 'quilt_loader', versions: '*' },
        { id: 'candle', optional: true },
      ],
      breaks: [{ id: 'dark' }, { id: 'dim', versions: '<2' }],
    };
    expect(await read({ 'quilt.mod.json': { schema_version: 1, quilt_loader } })).toMatchObject({
      name: 'Lantern',
      version_number: '1.0.0',
      version_type: 'release',
      loaders: ['quilt'],
      game_versions: ['1.21.11', '1.21.8', '1.21.5', '1.20.1'],
      dependencies: [
        { id: 'wick', dependency_type: 'required' },
        { id: 'candle', dependency_type: 'optional' },
        { id: 'dark', dependency_type: 'incompatible' },
      ],
      problems: [],
    });
  });

  const toml = (range: string, more = '') => `
modLoader="javafml"
[[mods]]
modId="lantern"
version="\${file.jarVersion}"
displayName="Lantern"
[[dependencies.lantern]]
modId="minecraft"
mandatory=true
versionRange="${range}"
[[dependencies.lantern]]
modId="wick"
mandatory=false
versionRange="[1,)"
[[dependencies.other]]
modId="foreign"
mandatory=true
${more}`;

  test('Forge, whose number is in the manifest of the jar', async () => {
    expect(
      await read({
        'META-INF/mods.toml': toml('[1.20.1,1.21)'),
        'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\r\nImplementation-Version: 4.2.0-alpha\r\n',
        'META-INF/jarjar/metadata.json': { jars: [{ path: 'META-INF/jarjar/wax-3.jar' }] },
      }),
    ).toMatchObject({
      name: 'Lantern',
      version_number: '4.2.0-alpha',
      version_type: 'alpha',
      loaders: ['forge'],
      game_versions: ['1.20.6', '1.20.4', '1.20.1'],
      dependencies: [
        { id: 'wick', dependency_type: 'optional' },
        { id: 'wax-3.jar', dependency_type: 'embedded' },
      ],
      problems: [],
    });
  });

  test('NeoForge, in both files', async () => {
    const types =
      '[[dependencies.lantern]]\nmodId="candle"\ntype="required"\n[[dependencies.lantern]]\nmodId="dark"\ntype="incompatible"';
    expect(await read({ 'META-INF/neoforge.mods.toml': toml('[1.21.5]', types) })).toMatchObject({
      loaders: ['neoforge'],
      game_versions: ['1.21.5'],
      dependencies: [
        { id: 'wick', dependency_type: 'optional' },
        { id: 'candle', dependency_type: 'required' },
        { id: 'dark', dependency_type: 'incompatible' },
      ],
      version_number: null,
      problems: [{ code: 'placeholder', entry: 'META-INF/neoforge.mods.toml', field: 'version' }],
    });
    const early = toml('[1.20.4]', '[[dependencies.lantern]]\nmodId="neoforge"\ntype="required"');
    expect((await read({ 'META-INF/mods.toml': early })).loaders).toEqual(['neoforge']);
  });

  test('old versions of Forge', async () => {
    const mod = { modid: 'lantern', name: 'Lantern', version: '1.7', mcversion: '1.12.2' };
    const expected = {
      name: 'Lantern',
      version_number: '1.7',
      loaders: ['forge'],
      game_versions: ['1.12.2'],
      dependencies: [{ id: 'wick', dependency_type: 'required' }],
    };
    const list = [{ ...mod, requiredMods: ['Forge@[14,)', 'wick@[2,)'] }];
    expect(await read({ 'mcmod.info': list })).toMatchObject(expected);
    expect(await read({ 'mcmod.info': { modListVersion: 2, modList: list } })).toMatchObject(expected);
  });

  test('plugins of game servers, whose numbers stay text', async () => {
    const text =
      'name: Lantern\nversion: 1.10\nmain: a.B\napi-version: 1.20\ndepend: [Vault]\nsoftdepend: [Wick]\nfolia-supported: true\n';
    expect(await read({ 'plugin.yml': text })).toMatchObject({
      name: 'Lantern',
      version_number: '1.10',
      loaders: ['bukkit', 'spigot', 'paper', 'purpur', 'folia'],
      game_versions: releases.split(' ').slice(0, 9),
      dependencies: [
        { id: 'Vault', dependency_type: 'required' },
        { id: 'Wick', dependency_type: 'optional' },
      ],
      problems: [],
    });
    const paper =
      'name: Lantern\nversion: 2\napi-version: "1.21"\ndependencies:\n  server:\n    Vault:\n      required: true\n    Wick:\n      required: false\n';
    expect(await read({ 'paper-plugin.yml': paper })).toMatchObject({
      version_number: '2',
      loaders: ['paper', 'purpur'],
      dependencies: [
        { id: 'Vault', dependency_type: 'required' },
        { id: 'Wick', dependency_type: 'optional' },
      ],
    });
  });

  test('plugins of proxies', async () => {
    const bungee = 'name: Lantern\nversion: 1.0\ndepends: [Wick]\nsoftDepends: Candle\n';
    const velocity = {
      id: 'lantern',
      name: 'Lantern',
      version: '3',
      dependencies: [{ id: 'wick', optional: true }],
    };
    expect(await read({ 'bungee.yml': bungee, 'velocity-plugin.json': velocity })).toMatchObject({
      name: 'Lantern',
      version_number: '1.0',
      loaders: ['bungeecord', 'waterfall', 'velocity'],
      game_versions: [],
    });
  });

  test.each<[string, object, string[]]>([
    ['one format', { pack_format: 15 }, ['1.20.1', '1.20']],
    ['two formats', { pack_format: 15, supported_formats: [15, 32] }, ['1.20.6', '1.20.4', '1.20.1', '1.20']],
    [
      'formats as an object',
      { supported_formats: { min_inclusive: 34, max_inclusive: 34 } },
      ['1.21.1', '1.21'],
    ],
    ['formats with minor numbers', { min_format: [64, 0], max_format: 75 }, ['1.21.11', '1.21.8']],
  ])('a resource pack with %s', async (_, pack, game_versions) => {
    const found = await read({ 'pack.mcmeta': { pack }, 'assets/a.png': '' }, 'a.zip');
    expect(found).toMatchObject({
      loaders: ['minecraft'],
      game_versions,
      version_number: null,
      problems: [],
    });
  });

  test('a data pack whose files lie in overlays only', async () => {
    const overlays = { entries: [{ directory: 'ov', formats: [48, 81] }, { directory: 7 }, 'ov'] };
    const mcmeta = { pack: { pack_format: 48, supported_formats: [48, 81] }, overlays };
    expect(await read({ 'pack.mcmeta': mcmeta, 'ov/data/odd/function/x.mcfunction': '' })).toMatchObject({
      loaders: ['datapack'],
      game_versions: ['1.21.8', '1.21.5', '1.21.1', '1.21'],
    });
    const both = await read({ 'pack.mcmeta': mcmeta, 'ov/data/a': '', 'assets/a': '' });
    expect(both.loaders).toEqual(['datapack', 'minecraft']);
    expect((await read({ 'pack.mcmeta': mcmeta, 'other/data/a': '' })).loaders).toEqual(['minecraft']);
  });

  test('a resource pack with pipelines of Canvas', async () => {
    const found = await read({
      'pack.mcmeta': { pack: { pack_format: 15 } },
      'assets/lumi/pipelines/a.json5': '',
    });
    expect(found.loaders).toEqual(['canvas']);
  });

  test('Sponge', async () => {
    const file = {
      loader: { name: 'java_plain', version: '1.0' },
      license: 'MIT',
      global: { version: '3.1' },
      plugins: [
        {
          ...{ id: 'lantern', name: 'Lantern' },
          dependencies: [
            { id: 'spongeapi', version: '8.1.0' },
            { id: 'wick' },
            { id: 'wax', optional: true },
          ],
        },
        { id: 'other' },
      ],
    };
    const expected = {
      name: 'Lantern',
      version_number: '3.1',
      loaders: ['sponge'],
      dependencies: [
        { id: 'wick', dependency_type: 'required' },
        { id: 'wax', dependency_type: 'optional' },
      ],
      license: 'MIT',
      problems: [],
    };
    expect(await read({ 'META-INF/sponge_plugins.json': file })).toMatchObject(expected);
    expect(await read({ 'sponge_plugins.json': file })).toMatchObject(expected);
    const mod = { modid: 'lantern', version: '1', requiredMods: ['spongeapi@7.1.0'] };
    expect(await read({ 'mcmod.info': [mod] })).toMatchObject({ loaders: ['sponge'], dependencies: [] });
  });

  test('LiteLoader and Rift', async () => {
    const lite = { name: 'lantern', displayName: 'Lantern', mcversion: '1.12.2', version: '1.9' };
    expect(await read({ 'litemod.json': { ...lite, dependsOn: ['wick'] } }, 'a.litemod')).toMatchObject({
      name: 'Lantern',
      version_number: '1.9',
      loaders: ['liteloader'],
      game_versions: ['1.12.2'],
      dependencies: [{ id: 'wick', dependency_type: 'required' }],
      problems: [],
    });
    expect(await read({ 'riftmod.json': { id: 'lantern', name: 'Lantern' } })).toMatchObject({
      name: 'Lantern',
      loaders: ['rift'],
      problems: [],
    });
  });

  test('a data pack, and of what is both', async () => {
    const mcmeta = { pack: { pack_format: 48 } };
    expect(await read({ 'pack.mcmeta': mcmeta, 'data/a/tags/b.json': '' })).toMatchObject({
      loaders: ['datapack'],
      game_versions: ['1.21.1', '1.21'],
    });
    const both = await read({ 'pack.mcmeta': mcmeta, 'data/a/b': '', 'assets/c': '' });
    expect(both.loaders).toEqual(['datapack', 'minecraft']);
  });

  test('a mod is not that of the pack inside it', async () => {
    const found = await read({ 'fabric.mod.json': fabric, 'pack.mcmeta': { pack: { pack_format: 1 } } });
    expect(found).toMatchObject({ loaders: ['fabric'], game_versions: ['1.20.6', '1.20.4', '1.20.1'] });
  });

  test('shaders are a folder', async () => {
    expect(await read({ 'shaders/final.fsh': '' })).toMatchObject({
      loaders: ['iris', 'optifine'],
      problems: [],
    });
  });

  test('a modpack', async () => {
    const index = {
      game: 'minecraft',
      formatVersion: 1,
      versionId: '1.4',
      name: 'Lights',
      files: [],
      dependencies: { minecraft: '1.20.1', 'fabric-loader': '0.15.0' },
    };
    const found = await read({ 'modrinth.index.json': index, 'overrides/a.txt': '' }, 'a.mrpack');
    expect(found).toEqual({
      name: 'Lights',
      version_number: '1.4',
      version_type: 'release',
      loaders: ['fabric'],
      game_versions: ['1.20.1'],
      dependencies: [],
      environment: null,
      license: null,
      modpack: true,
      problems: [],
    });
    const wrong = await read({ 'modrinth.index.json': { ...index, versionId: 7 }, 'overrides/a': '' });
    expect(wrong.problems).toEqual([
      { code: 'wrong_type', entry: 'modrinth.index.json', field: 'versionId' },
    ]);
  });

  test('two loaders in one jar', async () => {
    const found = await read({ 'fabric.mod.json': fabric, 'META-INF/mods.toml': toml('[1.21]') });
    expect(found).toMatchObject({
      loaders: ['fabric', 'forge'],
      game_versions: ['1.21', '1.20.6', '1.20.4', '1.20.1'],
      version_number: '2.1.0-beta.3',
    });
  });

  test('a snapshot, only when it is named', async () => {
    const depends = { minecraft: '1.20-rc.1' };
    expect((await read({ 'fabric.mod.json': { ...fabric, depends } })).game_versions).toEqual(['1.20-rc1']);
  });
});
