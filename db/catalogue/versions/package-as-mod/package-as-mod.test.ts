import { buffer } from 'node:stream/consumers';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { withArchive } from '../../../platform/files/zip.ts';
import { sourceOf, zipOf } from '../../../testing/zips.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import type { GameVersion } from '../../tags/read.ts';
import { packLoaderNames } from '../../tags/rules.ts';
import { gameRuns } from './game-runs.ts';
import { type ModLoader, modManifests, type PackagedMod } from './manifests.ts';
import { withModArchive } from './mod-archive.ts';
import { modIdOf } from './mod-id.ts';
import { packFileOf, suggestedNumber } from './origin.ts';

const known: GameVersion[] = ['1.21.1', '1.21', '24w20a', '1.20.6', '1.20.2', '1.20.1', '1.20'].map(
  (version) => ({
    version,
    version_type: version.includes('w') ? 'snapshot' : 'release',
    date: '2024-01-01',
    major: false,
  }),
);
const mod: PackagedMod = {
  id: 'stone_rows',
  version: 'v1.2+mod',
  name: `Rows "of" \\ stones ''' \n and Ünïcode`,
  description: 'A line\nand "another"',
  authors: ['ada'],
  license: 'MIT OR Apache-2.0',
  icon: 'pack.png',
  homepage: 'https://mods.example.org/datapack/stone-rows',
  issues: 'https://example.org/issues',
  sources: null,
  games: gameRuns(['1.20', '1.20.1', '1.20.2', '1.21.1'], known),
  old_neoforge: false,
};
const pack = {
  'pack.mcmeta': '{"pack":{"pack_format":15,"description":"x"}}',
  'pack.png': Buffer.from('png'),
  'data/': '',
  'data/stones/loot_table/row.json': '{}',
  'fabric.mod.json': '{"id":"stale"}',
};

async function packaged(loaders: readonly ModLoader[], entries: Record<string, string | Buffer> = pack) {
  const file = { filename: 'stones.zip', content: sourceOf(await zipOf(entries)) };
  const parts = () => ({ entries: modManifests(mod, loaders), modified: new Date('2024-05-05T00:00:00Z') });
  return await withModArchive(file, parts, async (chunks) => await buffer(chunks));
}
const read = async <T>(jar: Buffer, work: Parameters<typeof withArchive<T>>[1]) =>
  await withArchive({ filename: 'x.jar', content: sourceOf(jar) }, work);

for (const loader of packLoaderNames)
  test(`our reader of manifests finds ${loader}, number and game versions in the jar`, async () => {
    const found = await read(await packaged([loader]), async (archive) => ({
      reading: await readManifests(archive, known),
      names: archive.names,
    }));
    expect(found.reading).toMatchObject({
      loaders: [loader],
      game_versions: ['1.21.1', '1.20.2', '1.20.1', '1.20'],
      version_number: loader.endsWith('forge') ? '1.2+mod' : 'v1.2+mod',
      problems: [],
    });
    expect(found.reading.name).toContain('Rows "of" \\ stones');
    expect(found.names).toContain('data/stones/loot_table/row.json');
  });

test('all four manifests say the same, by the rules of each loader', async () => {
  const jar = await packaged(packLoaderNames);
  const [fabric, quilt, forge, neoforge] = await read(jar, async ({ read }) => {
    const text = async (name: string) => String(await read(name, 65_536));
    return [
      JSON.parse(await text('fabric.mod.json')),
      JSON.parse(await text('quilt.mod.json')).quilt_loader,
      parse(await text('META-INF/mods.toml')),
      parse(await text('META-INF/neoforge.mods.toml')),
    ];
  });
  expect(fabric).toMatchObject({
    schemaVersion: 1,
    id: 'stone_rows',
    depends: { minecraft: ['>=1.20 <=1.20.2', '1.21.1'], 'fabric-resource-loader-v0': '*' },
  });
  expect(quilt).toMatchObject({ id: 'stone_rows', intermediate_mappings: 'net.fabricmc:intermediary' });
  expect(forge).toMatchObject({
    modLoader: 'lowcodefml',
    license: 'MIT OR Apache-2.0',
    mods: [{ modId: 'stone_rows', version: '1.2+mod', displayName: mod.name, logoFile: 'pack.png' }],
    dependencies: { stone_rows: [{ modId: 'minecraft', versionRange: '[1.20,1.20.2],[1.21.1]' }] },
  });
  expect(neoforge).toMatchObject({ modLoader: 'javafml', mods: [{ modId: 'stone_rows' }] });
});

test('NeoForge before 1.20.5 finds a manifest, too', () => {
  expect([...modManifests({ ...mod, old_neoforge: true }, ['neoforge']).keys()]).toEqual([
    'META-INF/mods.toml',
    'META-INF/neoforge.mods.toml',
  ]);
  expect([...modManifests(mod, ['neoforge']).keys()]).toEqual(['META-INF/neoforge.mods.toml']);
});

test('the same pack always gives the same bytes', async () => {
  expect((await packaged(['fabric'])).equals(await packaged(['fabric']))).toBe(true);
});

test('what is no pack is refused by name', async () => {
  await expect(packaged(['fabric'], { 'stones/pack.mcmeta': '{}' })).rejects.toMatchObject({
    code: 'data_pack_manifest_missing',
    data: { filename: 'stones.zip' },
  });
  const notZip = {
    filename: 'stones.zip',
    content: sourceOf(Buffer.from('not a zip at all, and never was')),
  };
  const parts = () => ({ entries: new Map<string, string>(), modified: new Date() });
  await expect(withModArchive(notZip, parts, buffer)).rejects.toMatchObject({ code: 'data_pack_not_zip' });
});

test('a store that stops in the middle ends it', async () => {
  const file = {
    filename: 'a.zip',
    content: sourceOf(await zipOf({ ...pack, big: Buffer.alloc(3_000_000, 7) })),
  };
  const parts = () => ({ entries: new Map<string, string>(), modified: new Date(0) });
  const full = withModArchive(file, parts, async (chunks) => {
    for await (const _ of chunks) throw new Error('full');
  });
  await expect(full).rejects.toThrow('full');
});

test('ids follow the strictest rule of the loaders', () => {
  expect(modIdOf('Stone-Rows')).toBe('stone_rows');
  expect(modIdOf('3d!!crops')).toBe('pack_3d_crops');
  expect(modIdOf('forge')).toBe('pack_forge');
  expect(modIdOf('a')).toBe('pack_a');
  for (const slug of ['x'.repeat(64), '9'.repeat(64), '$', "rock'n'roll", '_x'])
    expect(modIdOf(slug)).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
});

test('runs of releases skip what lies between them, and snapshots give none', () => {
  expect(gameRuns(['1.21', '1.20.6'], known)).toEqual([{ first: '1.20.6', last: '1.21' }]);
  expect(gameRuns(['1.20', '24w20a'], known)).toBeNull();
  expect(gameRuns([], known)).toBeNull();
});

test('numbers are suggested that are free and short enough', () => {
  expect(suggestedNumber('1.2', new Set(['1.2']))).toBe('1.2+mod');
  expect(suggestedNumber('1.2', new Set(['1.2+mod', '1.2+mod.2']))).toBe('1.2+mod.3');
  expect(suggestedNumber('9'.repeat(32), new Set())).toHaveLength(32);
});

test('the pack is the primary file, else another zip', () => {
  const file = (filename: string, primary = false) => ({ filename, primary, file_type: null });
  const of = (...files: ReturnType<typeof file>[]) => packFileOf({ loaders: ['datapack'], files }).filename;
  expect(of(file('b.zip'), file('a.zip', true))).toBe('a.zip');
  expect(of(file('a.jar', true), file('b.zip'))).toBe('b.zip');
  expect(() => of(file('a.jar', true))).toThrow(expect.objectContaining({ code: 'data_pack_not_zip' }));
  expect(() => packFileOf({ loaders: ['fabric'], files: [file('a.zip', true)] })).toThrow(
    expect.objectContaining({ code: 'version_not_data_pack' }),
  );
});
