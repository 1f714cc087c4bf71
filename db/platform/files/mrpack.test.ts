import { expect, test } from 'vitest';
import { embeddedOf, type MrpackIndex, mrpackHosts, readIndex } from './mrpack.ts';

const file = {
  path: 'mods/a.jar',
  hashes: { sha1: 'AB', sha512: 'cd', md5: 'ignored' },
  env: { client: 'required', server: 'unsupported' },
  downloads: ['https://cdn.modrinth.com/data/AAAA/versions/BBBB/a%20b.jar'],
  fileSize: 12,
};
const index = {
  game: 'minecraft',
  formatVersion: 1,
  versionId: '1.0',
  name: 'Pack',
  summary: 'About',
  files: [file],
  dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.16' },
};
const read = (value: unknown, entries: string[] = []) =>
  readIndex(
    value,
    entries.some((entry) => entry.startsWith('overrides/')),
    mrpackHosts,
  );
const code = (value: unknown, entries?: string[]) => {
  const result = read(value, entries);
  return 'code' in result ? result.code : 'fine';
};

test('reads a complete index and ignores unknown keys', () => {
  expect(read({ ...index, more: 1 })).toEqual({
    ...index,
    files: [{ ...file, hashes: { sha1: 'AB', sha512: 'cd' } }],
  });
});

const withFile = (change: object) => ({ ...index, files: [file, { ...file, ...change }] });
const without = (key: string, from: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key));

test.each<[string, unknown]>([
  ['no summary', without('summary', index)],
  ['a null summary', { ...index, summary: null }],
  ['any format version', { ...index, formatVersion: 7 }],
  [
    'the longest texts',
    { ...index, versionId: 'x'.repeat(512), name: '🧱'.repeat(512), summary: '🧱'.repeat(2048) },
  ],
  ['a file without env', { ...index, files: [without('env', file)] }],
  ['half an env', withFile({ env: { server: 'unknown' } })],
  ['no downloads', withFile({ downloads: [] })],
  ['a file of 4 GiB less one', withFile({ fileSize: 4294967295 })],
  ['no dependencies', { ...index, dependencies: {} }],
  [
    'all dependencies',
    {
      ...index,
      dependencies: { minecraft: '1', forge: '1', neoforge: '1', 'fabric-loader': '1', 'quilt-loader': '1' },
    },
  ],
  ...mrpackHosts.map((host): [string, unknown] => [
    `downloads from ${host}`,
    withFile({ downloads: [`https://${host}/a.jar`] }),
  ]),
])('accepts %s', (_what, value) => expect(code(value)).toBe('fine'));

test.each<[string, string, unknown]>([
  ['no object', 'mrpack_index_malformed', []],
  ['nothing', 'mrpack_index_malformed', undefined],
  ['another game', 'mrpack_game_unknown', { ...index, game: 'terraria' }],
  ['no game', 'mrpack_game_unknown', without('game', index)],
  ['no format version', 'mrpack_index_malformed', without('formatVersion', index)],
  ['a broken format version', 'mrpack_index_malformed', { ...index, formatVersion: 1.5 }],
  ['an empty versionId', 'mrpack_index_malformed', { ...index, versionId: '' }],
  ['a long versionId', 'mrpack_index_malformed', { ...index, versionId: 'x'.repeat(513) }],
  ['no name', 'mrpack_index_malformed', without('name', index)],
  ['a long name', 'mrpack_index_malformed', { ...index, name: 'x'.repeat(513) }],
  ['a long summary', 'mrpack_index_malformed', { ...index, summary: 'x'.repeat(2049) }],
  ['no files', 'mrpack_index_malformed', without('files', index)],
  ['a file that is no object', 'mrpack_index_malformed', { ...index, files: ['a'] }],
  ['no path', 'mrpack_index_malformed', withFile({ path: undefined })],
  ...[
    '../a.jar',
    'mods/../../a',
    '/etc/a',
    'C:/a',
    'c:a',
    'mods\\a.jar',
    'mods/con.jar',
    'nul',
    '',
    'mods//a',
    'mods/',
    './a',
    'a\0b',
  ].map((path): [string, string, unknown] => [
    `the path ${JSON.stringify(path)}`,
    'mrpack_path_unsafe',
    withFile({ path }),
  ]),
  ['no hashes', 'mrpack_index_malformed', withFile({ hashes: undefined })],
  ['no sha1', 'mrpack_hash_missing', withFile({ hashes: { sha512: 'x' } })],
  ['no sha512', 'mrpack_hash_missing', withFile({ hashes: { sha1: 'x' } })],
  ['an unknown side', 'mrpack_index_malformed', withFile({ env: { client: 'maybe' } })],
  ['no downloads', 'mrpack_index_malformed', withFile({ downloads: undefined })],
  ['a download that is no address', 'mrpack_download_invalid', withFile({ downloads: ['a.jar'] })],
  ['a download that is no text', 'mrpack_download_invalid', withFile({ downloads: [1] })],
  [
    'a download that is not canonical',
    'mrpack_download_invalid',
    withFile({ downloads: ['https://GitHub.com/a b.jar'] }),
  ],
  ['a download by ftp', 'mrpack_download_invalid', withFile({ downloads: ['ftp://github.com/a.jar'] })],
  [
    'a download from elsewhere',
    'mrpack_download_host',
    withFile({ downloads: ['https://evil.example/a.jar'] }),
  ],
  [
    'a host that looks alike',
    'mrpack_download_host',
    withFile({ downloads: ['https://github.com.evil.example/a.jar'] }),
  ],
  ['another port', 'mrpack_download_host', withFile({ downloads: ['https://github.com:8443/a.jar'] })],
  ['no file size', 'mrpack_index_malformed', withFile({ fileSize: undefined })],
  ['a file size too large', 'mrpack_index_malformed', withFile({ fileSize: 4294967296 })],
  ['a negative file size', 'mrpack_index_malformed', withFile({ fileSize: -1 })],
  ['no dependencies at all', 'mrpack_index_malformed', without('dependencies', index)],
  [
    'an unknown dependency',
    'mrpack_dependency_unknown',
    { ...index, dependencies: { minecraft: '1', rift: '1' } },
  ],
  ['a dependency that is no text', 'mrpack_index_malformed', { ...index, dependencies: { minecraft: 1 } }],
])('refuses %s as %s', (_what, expected, value) => expect(code(value)).toBe(expected));

test('requires overrides for an index without files', () => {
  expect(code({ ...index, files: [] })).toBe('mrpack_empty');
  expect(code({ ...index, files: [] }, ['client-overrides/a.txt'])).toBe('mrpack_empty');
  expect(code({ ...index, files: [] }, ['overrides/'])).toBe('fine');
});

test('lists embedded content: listed files by hash, archives of override folders by name', () => {
  const noDownload = { ...file, path: 'mods/deep/own.jar', downloads: [] };
  const entries = [
    'overrides/mods/a.jar',
    'overrides/mods/readme.txt',
    'overrides/config/x.zip',
    'client-overrides/mods/b.zip',
    'server-overrides/mods/sub/c.jar',
    'overrides/resourcepacks/d.zip',
    'server-overrides/resourcepacks/e.zip',
    'client-overrides/resourcepacks/h.zip',
    'overrides/shaderpacks/f.zip',
    'client-overrides/shaderpacks/g.zip',
    'server-overrides/shaderpacks/not.zip',
    'mods/not.jar',
  ];
  expect(embeddedOf(read({ ...index, files: [file, noDownload] }) as MrpackIndex, entries)).toEqual([
    { sha1: 'ab', file_name: 'a b.jar' },
    { sha1: 'ab', file_name: 'own.jar' },
    ...['a.jar', 'b.zip', 'c.jar', 'd.zip', 'e.zip', 'h.zip', 'f.zip', 'g.zip'].map((file_name) => ({
      sha1: null,
      file_name,
    })),
  ]);
});
