import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ArchiveView } from '../../platform/files/archive-view.ts';
import { withArchive } from '../../platform/files/zip.ts';
import { propertyRuns } from '../../testing/soak.ts';
import { sourceOf, zipOf } from '../../testing/zips.ts';
import { type ManifestReading, readManifests } from './read-manifests.ts';

const known = ['1.21.1', '1.20.1'].map((version) => ({ version, version_type: 'release' }));
const entries = [
  'fabric.mod.json',
  'quilt.mod.json',
  'META-INF/mods.toml',
  'META-INF/neoforge.mods.toml',
  'META-INF/jarjar/metadata.json',
  'mcmod.info',
  'plugin.yml',
  'paper-plugin.yml',
  'bungee.yml',
  'velocity-plugin.json',
  'META-INF/sponge_plugins.json',
  'litemod.json',
  'riftmod.json',
  'pack.mcmeta',
  'modrinth.index.json',
];
/** An archive of texts, without bounds of its own: the reader has to bound what it parses. */
const archiveOf = (texts: Record<string, string>): ArchiveView => ({
  names: Object.keys(texts),
  read: async (name, max_bytes) => {
    if (!Object.hasOwn(texts, name)) return null;
    const bytes = new TextEncoder().encode(texts[name]);
    if (bytes.length > max_bytes) throw new Error('too large');
    return bytes;
  },
});
const read = async (texts: Record<string, string>): Promise<ManifestReading> =>
  await readManifests(archiveOf(texts), known);
const codes = ({ problems }: ManifestReading) => problems.map(({ code }) => code);

describe('a manifest that lies or is broken', () => {
  test.each(entries)('%s of any text gives problems, no exception', async (entry) => {
    const texts = fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await read({ [entry]: text })).toHaveProperty('problems');
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('values of any type where texts, lists and objects belong', async () => {
    const any = fc.jsonValue();
    const mod = fc.record(
      { id: any, name: any, version: any, depends: any, jars: any, breaks: any, quilt_loader: any },
      { requiredKeys: [] },
    );
    const pack = fc.record({
      pack: fc.record({ pack_format: any, supported_formats: any, min_format: any }, { requiredKeys: [] }),
    });
    await fc.assert(
      fc.asyncProperty(mod, pack, any, async (values, mcmeta, minecraft) => {
        const depends = { minecraft, ...(values.depends as object | null) };
        for (const value of [values, { ...values, depends }, { quilt_loader: values }, [values], mcmeta]) {
          const text = JSON.stringify(value);
          for (const entry of [
            'fabric.mod.json',
            'quilt.mod.json',
            'mcmod.info',
            'plugin.yml',
            'pack.mcmeta',
          ]) {
            const found = await read({ [entry]: text });
            for (const one of [found.name, found.version_number])
              expect(['string', 'object']).toContain(typeof one);
            expect(found.dependencies.every(({ id }) => typeof id === 'string' && id !== '')).toBe(true);
          }
        }
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  test.each<[string, string, string]>([
    ['JSON', 'fabric.mod.json', '['.repeat(500_000)],
    ['objects of JSON', 'fabric.mod.json', '{"a":'.repeat(150_000)],
    ['lists without quotes', 'mcmod.info', '[a,'.repeat(300_000)],
    ['comments', 'mcmod.info', '/**/'.repeat(250_000)],
    ['comments without an end', 'mcmod.info', `[${'/*'.repeat(500_000)}`],
    ['TOML', 'META-INF/mods.toml', `a = ${'['.repeat(100_000)}`],
    ['YAML', 'plugin.yml', '['.repeat(60_000)],
    ['mappings of YAML', 'plugin.yml', '{a: '.repeat(15_000)],
  ])('deeply nested %s ends soon', async (_, entry, text) => {
    const started = performance.now();
    expect(codes(await read({ [entry]: text }))).toContain('syntax');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('aliases of YAML that grow without end', async () => {
    const lines = Array.from({ length: 24 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`);
    const text = ['name: x', 'a0: &a0 [x]', ...lines].join('\n');
    expect(codes(await read({ 'plugin.yml': text }))).toContain('syntax');
  });

  test('a huge manifest is not parsed', async () => {
    const text = JSON.stringify({ id: 'a', version: '1', description: 'x'.repeat(2 * 1024 * 1024) });
    expect(await read({ 'fabric.mod.json': text })).toMatchObject({
      loaders: ['fabric'],
      version_number: null,
      problems: [{ code: 'entry_unreadable', entry: 'fabric.mod.json', field: null }],
    });
  });

  test('a bomb inside a real archive is not unpacked beyond the bound', async () => {
    const bomb = Buffer.alloc(30 * 1024 * 1024, 32);
    const content = sourceOf(await zipOf({ 'fabric.mod.json': bomb }));
    const found = await withArchive({ filename: 'a.jar', content }, (archive) =>
      readManifests(archive, known),
    );
    expect(codes(found)).toEqual(['entry_unreadable']);
  });

  test('NUL, control characters and direction marks are removed and told', async () => {
    const text = JSON.stringify({ name: 'Lan\u0000tern\u202Egnp.exe\u2069\ud800', version: '1.0\u200f' });
    const found = await read({ 'fabric.mod.json': text });
    expect(found).toMatchObject({ name: 'Lanterngnp.exe\ufffd', version_number: '1.0' });
    expect(found.problems.map(({ field }) => field)).toEqual(['name', 'version']);
  });

  test('numbers that the API would refuse are left out', async () => {
    const placeholder = `$${'{version}'}`;
    for (const version of ['x'.repeat(40), '1/2', '🧱', placeholder, '@VERSION@', '  ', 'a\\b']) {
      const found = await read({ 'fabric.mod.json': JSON.stringify({ name: 'A', version }) });
      expect(found).toMatchObject({ name: 'A', version_number: null });
    }
  });

  test('keys of objects that every object has', async () => {
    const depends = JSON.parse('{"__proto__": "*", "constructor": "*", "toString": "*"}');
    const found = await read({ 'fabric.mod.json': JSON.stringify({ depends }) });
    expect(found.dependencies.map(({ id }) => id)).toEqual(['__proto__', 'constructor', 'toString']);
    const toml = '[[mods]]\nmodId = "constructor"\n[[mods]]\nmodId = "__proto__"\n';
    expect((await read({ 'META-INF/mods.toml': toml })).dependencies).toEqual([]);
  });

  test('thousands of dependencies are bounded', async () => {
    const depends = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`d${i}`, '*']));
    expect((await read({ 'fabric.mod.json': JSON.stringify({ depends }) })).dependencies).toHaveLength(4096);
  });

  test('an archive that throws', async () => {
    const archive: ArchiveView = {
      names: entries,
      read: async () => {
        throw new Error('damaged');
      },
    };
    expect(codes(await readManifests(archive, known))).toContain('entry_unreadable');
  });

  test('an archive without a manifest, and one packed with its folder', async () => {
    expect(codes(await read({ 'a.txt': '' }))).toEqual(['manifest_missing']);
    expect(codes(await read({}))).toEqual(['manifest_missing']);
    expect(codes(await read({ 'Pack/pack.mcmeta': '{}', 'Pack/assets/a': '' }))).toEqual([
      'manifest_in_folder',
    ]);
  });

  test.each([
    [['My Pack/pack.mcmeta', 'My Pack/assets/a', '__MACOSX/My Pack/._pack.mcmeta']],
    [['__MACOSX/._My Pack', 'My Pack/pack.mcmeta', '.DS_Store']],
    [['readme.txt', 'My Pack/pack.mcmeta']],
    [['download/My Pack/pack.mcmeta', 'download/readme.txt']],
    [['licence.txt', 'Shader/shaders/final.fsh']],
  ])('a pack in a folder beside other files: %j', async (names) => {
    const found = await read(Object.fromEntries(names.map((name) => [name, ''])));
    expect(codes(found)).toEqual(['manifest_in_folder']);
  });
  test('what a system adds is no pack', async () => {
    expect(codes(await read({ '__MACOSX/My Pack/pack.mcmeta': '', 'a.txt': '' }))).toEqual([
      'manifest_missing',
    ]);
  });

  test('a game that nobody knows', async () => {
    const text = JSON.stringify({ depends: { minecraft: '>=9.9' } });
    expect(codes(await read({ 'fabric.mod.json': text }))).toEqual(['game_versions_unknown']);
    expect(codes(await read({ 'pack.mcmeta': '{"pack":{"pack_format":9999}}' }))).toEqual([
      'game_versions_unknown',
    ]);
  });
});
