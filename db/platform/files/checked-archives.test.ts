import { describe, expect, test } from 'vitest';
import { sourceOf, zipOf } from '../../testing/zips.ts';
import { parseSettings } from '../runtime/env.ts';
import { inspect } from './archive.ts';

/** For each check of uploads one archive that passes and several that do not, made here. Source: api-v3 §9. */
type Content = Record<string, string> | string;
interface Sent {
  name?: string;
  content: Content;
}
interface Check {
  loaders: string[];
  date?: string;
  type?: string;
  good: Sent;
  bad: Record<string, Sent & { code: string }>;
}

const verdict = async ({ loaders, date = '2024-08-08', type }: Check, { name = 'f.jar', content }: Sent) => {
  const bytes = sourceOf(typeof content === 'string' ? Buffer.from(content) : await zipOf(content));
  const game_versions = [{ version: 'x', date: `${date}T00:00:00Z` }];
  const { problem, warning } = await inspect(
    { filename: name, content: bytes },
    { loaders, game_versions, file_type: type ?? null },
    parseSettings({}),
  );
  return problem ? `problem ${problem.code}` : warning ? `warning ${warning.code}` : 'passes';
};

const missing = 'warning loader_entry_missing';
const extension = 'problem loader_extension_wrong';
const unreadable = 'problem archive_unreadable';
/** Bad archives of every mod: no archive, without its file, with it in a folder, and a modpack in disguise. */
const mod = (entry: string, name = 'f.jar') => ({
  'no archive': { name, content: 'text', code: unreadable },
  'without the file': { name, content: { 'readme.txt': '' }, code: missing },
  'with it in a folder': { name, content: { [`sub/${entry}`]: '' }, code: missing },
  'with the jars of a modpack': {
    name,
    content: { [entry]: '', 'mods/a.jar': '' },
    code: 'warning modpack_not_mrpack',
  },
  'another extension': { name: 'f.mrpack', content: { [entry]: '' }, code: extension },
});
const plugin = (entry: string, name = 'f.jar') => ({
  'no archive': { name, content: 'text', code: unreadable },
  'without the file': { name, content: { 'config.yml': '' }, code: missing },
  'with it in a folder': { name, content: { [`sub/${entry}`]: '' }, code: missing },
  'another extension': { name: 'f.litemod', content: { [entry]: '' }, code: extension },
});
const pack = (entry: string) => ({
  'no archive': { name: 'f.zip', content: 'text', code: unreadable },
  empty: { name: 'f.zip', content: {}, code: missing },
  'one folder too deep': { name: 'f.zip', content: { [`pack/${entry}`]: '' }, code: missing },
  'a jar': { name: 'f.jar', content: { [entry]: '' }, code: extension },
});

const index = (change: object = {}, file: object | null = null) => ({
  'modrinth.index.json': JSON.stringify({
    game: 'minecraft',
    formatVersion: 1,
    versionId: '1',
    name: 'Pack',
    files: [
      {
        path: 'mods/a.jar',
        hashes: { sha1: 'a', sha512: 'b' },
        env: { client: 'required', server: 'unsupported' },
        downloads: ['https://cdn.modrinth.com/data/a.jar'],
        fileSize: 1,
        ...file,
      },
    ],
    dependencies: { minecraft: '1.21.1' },
    ...change,
  }),
});
const packed = (content: Content, code: string) => ({ name: 'f.mrpack', content, code: `problem ${code}` });
const malformed = (content: Content) => packed(content, 'mrpack_index_malformed');

const checks: Record<string, Check> = {
  fabric: { loaders: ['fabric'], good: { content: { 'fabric.mod.json': '' } }, bad: mod('fabric.mod.json') },
  forge: {
    loaders: ['forge'],
    good: { content: { 'META-INF/mods.toml': '' } },
    bad: mod('META-INF/mods.toml'),
  },
  'forge, older': {
    loaders: ['forge'],
    date: '2017-01-01',
    good: { content: { 'mcmod.info': '' } },
    bad: mod('mcmod.info'),
  },
  neoforge: {
    loaders: ['neoforge'],
    good: { content: { 'META-INF/neoforge.mods.toml': '' } },
    bad: mod('META-INF/neoforge.mods.toml'),
  },
  quilt: { loaders: ['quilt'], good: { content: { 'quilt.mod.json': '' } }, bad: mod('quilt.mod.json') },
  liteloader: {
    loaders: ['liteloader'],
    good: { name: 'f.litemod', content: { 'litemod.json': '' } },
    bad: mod('litemod.json', 'f.litemod'),
  },
  rift: { loaders: ['rift'], good: { content: { 'riftmod.json': '' } }, bad: mod('riftmod.json') },
  paper: {
    loaders: ['paper', 'bukkit'],
    good: { content: { 'paper-plugin.yml': '' } },
    bad: plugin('plugin.yml'),
  },
  bungeecord: { loaders: ['bungeecord'], good: { content: { 'bungee.yml': '' } }, bad: plugin('bungee.yml') },
  velocity: {
    loaders: ['velocity'],
    good: { content: { 'velocity-plugin.json': '' } },
    bad: plugin('velocity-plugin.json'),
  },
  sponge: {
    loaders: ['sponge'],
    good: { content: { 'META-INF/sponge_plugins.json': '' } },
    bad: plugin('sponge_plugins.json'),
  },
  datapack: {
    loaders: ['datapack'],
    good: { name: 'f.zip', content: { 'pack.mcmeta': '' } },
    bad: pack('pack.mcmeta'),
  },
  'resource pack': {
    loaders: ['minecraft'],
    good: { name: 'f.zip', content: { 'pack.mcmeta': '' } },
    bad: pack('pack.mcmeta'),
  },
  'texture pack': {
    loaders: ['minecraft'],
    date: '2012-01-01',
    good: { name: 'f.zip', content: { 'pack.txt': '' } },
    bad: pack('pack.txt'),
  },
  'shader of iris': {
    loaders: ['iris', 'optifine'],
    good: { name: 'f.zip', content: { 'shaders/final.fsh': '' } },
    bad: pack('shaders/final.fsh'),
  },
  'shader of canvas': {
    loaders: ['canvas'],
    good: { name: 'f.zip', content: { 'pack.mcmeta': '', 'assets/x/pipelines/x.json5': '' } },
    bad: {
      ...pack('pack.mcmeta'),
      'without a pipeline': { name: 'f.zip', content: { 'pack.mcmeta': '' }, code: missing },
    },
  },
  'core shader': {
    loaders: ['vanilla'],
    good: { name: 'f.zip', content: { 'pack.mcmeta': '', 'assets/minecraft/shaders/core/x.fsh': '' } },
    bad: {
      ...pack('pack.mcmeta'),
      'shaders of another namespace': {
        name: 'f.zip',
        content: { 'pack.mcmeta': '', 'assets/other/shaders/x.fsh': '' },
        code: missing,
      },
    },
  },
  modpack: {
    loaders: ['mrpack'],
    good: { name: 'f.mrpack', content: index() },
    bad: {
      'no archive': { name: 'f.mrpack', content: 'text', code: unreadable },
      'without an index': { name: 'f.mrpack', content: { x: '' }, code: 'warning mrpack_index_missing' },
      'a jar': { content: index(), code: extension },
      'a broken index': malformed({ 'modrinth.index.json': '{"game":' }),
      'no format version': malformed(index({ formatVersion: undefined })),
      'an empty name': malformed(index({ name: '' })),
      'an id of 513 characters': malformed(index({ versionId: 'x'.repeat(513) })),
      'a summary of 2049 characters': malformed(index({ summary: 'x'.repeat(2049) })),
      'files that are no list': malformed(index({ files: {} })),
      'another game': packed(index({ game: 'other' }), 'mrpack_game_unknown'),
      'no files and no overrides': packed(index({ files: [] }), 'mrpack_empty'),
      'an unknown dependency': packed(index({ dependencies: { rift: '1' } }), 'mrpack_dependency_unknown'),
    },
  },
  'file of a modpack': {
    loaders: ['mrpack'],
    good: { name: 'f.mrpack', content: index({}, { downloads: [], env: undefined }) },
    bad: {
      'a parent folder': packed(index({}, { path: '../a.jar' }), 'mrpack_path_unsafe'),
      'an absolute path': packed(index({}, { path: '/a.jar' }), 'mrpack_path_unsafe'),
      'a drive': packed(index({}, { path: 'C:/a.jar' }), 'mrpack_path_unsafe'),
      'a backslash': packed(index({}, { path: 'mods\\a.jar' }), 'mrpack_path_unsafe'),
      'a reserved name': packed(index({}, { path: 'mods/aux.jar' }), 'mrpack_path_unsafe'),
      'no sha512': packed(index({}, { hashes: { sha1: 'a' } }), 'mrpack_hash_missing'),
      'an unknown side': malformed(index({}, { env: { client: 'maybe', server: 'required' } })),
      'a negative size': malformed(index({}, { fileSize: -1 })),
      'a size beyond 32 bits': malformed(index({}, { fileSize: 2 ** 32 })),
      'another host': packed(index({}, { downloads: ['https://a.test/a'] }), 'mrpack_download_host'),
      'an address in capitals': packed(
        index({}, { downloads: ['HTTPS://cdn.modrinth.com/a'] }),
        'mrpack_download_invalid',
      ),
    },
  },
  'required resource pack beside a mod': {
    loaders: ['fabric'],
    type: 'required-resource-pack',
    good: { name: 'f.zip', content: { 'pack.mcmeta': '' } },
    bad: {
      'no archive': { name: 'f.zip', content: 'text', code: unreadable },
      'a mod': { content: { 'fabric.mod.json': '' }, code: missing },
      'one folder too deep': { name: 'f.zip', content: { 'pack/pack.mcmeta': '' }, code: missing },
    },
  },
  signature: {
    loaders: ['fabric'],
    type: 'signature',
    good: { name: 'f.jar.asc', content: '-----BEGIN' },
    bad: Object.fromEntries(
      ['f.jar', 'f.zip', 'f.mrpack'].map((name) => [
        name,
        { name, content: { x: '' }, code: 'problem signature_type_invalid' },
      ]),
    ),
  },
  'name of a file': {
    loaders: ['babric'],
    good: { name: 'any name (1).jar', content: { x: '' } },
    bad: Object.fromEntries(
      ['a/b.jar', 'a\\b.jar', 'C:b.jar', 'CON.jar', 'com1.jar', 'conin$.zip', 'nul'].map((name) => [
        name,
        { name, content: { x: '' }, code: 'problem file_name_invalid' },
      ]),
    ),
  },
  'extension of a file': {
    loaders: ['babric'],
    good: { name: 'f.litemod', content: { x: '' } },
    bad: Object.fromEntries(
      ['f.exe', 'f', 'f.jar.txt', 'f.rar'].map((name) => [
        name,
        { name, content: { x: '' }, code: 'problem file_type_unsupported' },
      ]),
    ),
  },
};

describe.each(Object.entries(checks))('%s', (_, check) => {
  test('passes with what is needed', async () => {
    expect(await verdict(check, check.good)).toBe('passes');
    expect(Object.keys(check.bad).length).toBeGreaterThanOrEqual(3);
  });
  test.each(Object.entries(check.bad))('%s', async (__, { code, ...sent }) => {
    expect(await verdict(check, sent)).toBe(code);
  });
});
