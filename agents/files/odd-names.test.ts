import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameOfBytes } from '#db/platform/files/raw-names/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

let f: FilesFixture;
beforeEach(async () => {
  f = await filesFixture();
});
afterEach(() => f.end());

/** Names by their bytes, as text of Latin-1. */
const raw = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
const kinds: [kind: string, names: Buffer[]][] = [
  ['Latin-1', [raw('caf\xe9.yml')]],
  ['GBK', [raw('\xb2\xe2\xca\xd4.txt'), raw('\xba\xcb\xd0\xc4.txt')]],
  ['CP437', [raw('\x82t\x82.txt')]],
  ['a byte that is no UTF-8, and the replacement character', [raw('\xff'), Buffer.from('\ufffd')]],
  ['composed and decomposed', [Buffer.from('\u00e9.txt'), Buffer.from('e\u0301.txt')]],
  ['a dot at the end', [raw('a.')]],
  ['a blank at the end', [raw('a ')]],
  ['a drive of Windows', [raw('C:\\x')]],
  ['a backslash, and what a zip makes of it', [raw('a\\b'), raw('a_b')]],
  ['255 bytes', [raw('x'.repeat(255))]],
  ['255 bytes that are no UTF-8', [raw('\xe9'.repeat(255))]],
  ['only another case', [raw('Map.txt'), raw('map.txt'), raw('MAP.txt')]],
];

/** `odd/` with files of these names and a folder of the first one beside it, each with content of its own. */
function written(names: Buffer[]): string[] {
  for (const folder of ['odd', 'deep']) mkdirSync(f.path(folder));
  for (const [at, name] of names.entries()) {
    writeFileSync(Buffer.concat([Buffer.from(f.path('odd/')), name]), `content ${at}`);
    const folder = Buffer.concat([Buffer.from(f.path('deep/')), name]);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/in.txt')]), `in ${at}`);
  }
  return names.map(nameOfBytes);
}
/** The names of a folder as bytes of Latin-1, sorted. */
const there = (path: string): string[] => readdirSync(f.path(path), { encoding: 'latin1' }).sort();
const bytesOf = (names: Buffer[]): string[] => names.map((name) => name.toString('latin1')).sort();
const listed = async (path: string) => await f.get('list', { path, limit: 500 });

describe.each(kinds)('names with %s', (_, bytes) => {
  it('are listed with their number, found and read', async () => {
    const names = written(bytes);
    const { entries, total } = await listed('odd');
    expect(entries.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(total).toBe(names.length);
    const stat = await f.get('stat', { paths: names.map((name) => `odd/${name}`) });
    expect(stat.entries.map((one) => one?.type)).toEqual(names.map(() => 'file'));
    for (const [at, name] of names.entries())
      expect((await f.sent({ paths: [`deep/${name}/in.txt`], as: 'file' })).body.toString()).toBe(`in ${at}`);
    const found = await f.get('search', { path: '', text: 'content', in: 'contents' });
    expect(found.found.map(({ path }) => path).sort()).toEqual(names.map((name) => `odd/${name}`).sort());
  });

  it('are copied with their folder, and moved into another', async () => {
    const names = written(bytes);
    const copies = ['odd', 'deep'].map((name) => ({ from: name, to: `${name}-copy` }));
    await f.done('file_copy', { copies });
    expect(there('odd-copy')).toEqual(bytesOf(bytes));
    expect(there('deep-copy')).toEqual(bytesOf(bytes));
    const moves = names.map((name) => ({ from: `odd/${name}`, to: `new/${name}` }));
    await f.done('file_move', { moves });
    expect([there('odd'), there('new')]).toEqual([[], bytesOf(bytes)]);
    for (const [at, name] of names.entries())
      await f.done('file_move', { moves: [{ from: `deep/${name}`, to: `deep/plain-${at}` }] });
    expect(there('deep')).toEqual(names.map((_, at) => `plain-${at}`));
  });

  it('are deleted, restored and deleted for good', async () => {
    const names = written(bytes);
    const paths = ['odd', 'deep'].flatMap((folder) => names.map((name) => `${folder}/${name}`));
    const { trash } = await f.done('file_delete', { paths });
    expect([there('odd'), there('deep')]).toEqual([[], []]);
    await f.done('file_restore', { trash_ids: trash.map(({ trash_id }) => trash_id) });
    expect([there('odd'), there('deep')]).toEqual([bytesOf(bytes), bytesOf(bytes)]);
    await f.done('file_delete', { paths });
    await f.done('file_purge', { trash_ids: null });
    expect(there('.cairn/trash')).toEqual([]);
  });

  it.each(['zip', 'tar.zst'])('are in a %s, and come out of it as they were', async (as) => {
    const names = written(bytes);
    const { body } = await f.sent({ paths: ['odd', 'deep'], as });
    f.write('a.bin', body);
    const done = await f.done('file_unpack', { path: 'a.bin', into: 'out', on_conflict: 'replace' });
    expect(done).toMatchObject({ files: 2 * names.length, skipped: 0 });
    // a zip has no backslashes and no drives
    const isPlain = as === 'tar.zst' || !bytes.some((name) => name.includes('\\'));
    if (isPlain) expect([there('out/odd'), there('out/deep')]).toEqual([bytesOf(bytes), bytesOf(bytes)]);
    else expect(there('out/odd')).toHaveLength(names.length);
  });
});
