import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

let f: FilesFixture;
beforeEach(async () => {
  f = await filesFixture();
});
afterEach(() => f.end());

const read = (path: string): string => readFileSync(f.path(path), 'utf8');
const day_ms = 24 * 3_600_000;
/** What is in our own folders: nothing after a request ended. */
const left = (): string[] => readdirSync(f.path(`${reserved_name}/temporary`));

describe('a list', () => {
  it('has folders first, in pages, by any order', async () => {
    for (const [index, name] of ['b.txt', 'A.txt', 'c/x', 'D/x'].entries()) {
      f.write(name, 'x'.repeat(10 * index));
      utimesSync(f.path(name), index, 1_000 - index);
    }
    const names = async (args: object) =>
      (await f.get('list', { path: '', ...args })).entries.map(({ name }) => name);
    expect(await names({})).toEqual(['c', 'D', 'A.txt', 'b.txt']);
    expect(await names({ descending: true })).toEqual(['D', 'c', 'b.txt', 'A.txt']);
    expect(await names({ sort: 'bytes', show: 'files' })).toEqual(['b.txt', 'A.txt']);
    expect(await names({ sort: 'modified', show: 'files' })).toEqual(['A.txt', 'b.txt']);
    expect(await names({ from: 1, limit: 2 })).toEqual(['D', 'A.txt']);
    expect(await f.get('list', { path: '', show: 'directories', limit: 1 })).toMatchObject({ total: 2 });
    expect(await f.refusal('list', { path: 'b.txt' })).toBe('file_not_directory');
    expect(await f.refusal('list', { path: 'none' })).toBe('file_not_found');
  });

  it('says of each path what it is', async () => {
    f.write('a/b.txt', 'four');
    const { entries } = await f.get('stat', { paths: ['a/b.txt', 'a', '', 'none', 'a/b.txt/c', 'none/x'] });
    expect(entries.map((one) => one && [one.name, one.type, one.bytes])).toEqual([
      ['b.txt', 'file', 4],
      ['a', 'directory', 0],
      ['', 'directory', 0],
      ...[null, null, null],
    ]);
  });
});

describe('a search', () => {
  it('finds names and lines in any case, and leaves out what is no text', async () => {
    f.write('plugins/Map.yml', 'one\nAllowFlight: true\n');
    f.write('world/flight.dat', 'allowflight\0');
    f.write('long.txt', `${'x'.repeat(5_000)}ALLOWFLIGHT${'y'.repeat(5_000)}`);
    const inside = await f.get('search', { path: '', text: 'allowflight', in: 'contents' });
    expect(inside.found).toEqual(
      [
        {
          path: 'long.txt',
          type: 'file',
          line: { number: 1, text: expect.stringContaining('xALLOWFLIGHTy') },
        },
        { path: 'plugins/Map.yml', type: 'file', line: { number: 2, text: 'AllowFlight: true' } },
      ].sort(() => (inside.found[0]?.path === 'long.txt' ? 0 : -1)),
    );
    expect(inside.found.every(({ line }) => line!.text.length <= 300)).toBe(true);
    expect(inside.complete).toBe(true);
    const named = await f.get('search', { path: 'world', text: 'FLIGHT', in: 'names' });
    expect(named.found).toEqual([{ path: 'world/flight.dat', type: 'file', line: null }]);
  });

  it('is bounded, and says that there is more', async () => {
    for (let index = 0; index < 30; index++) f.write(`a${index}.txt`, 'hit\nhit\n');
    expect(await f.get('search', { path: '', text: 'a', in: 'names', limit: 30 })).toMatchObject({
      complete: true,
    });
    const names = await f.get('search', { path: '', text: 'a', in: 'names', limit: 29 });
    expect([names.found.length, names.complete]).toEqual([29, false]);
    const lines = await f.get('search', { path: '', text: 'hit', in: 'contents', limit: 5 });
    expect([lines.found.length, lines.complete]).toEqual([5, false]);
    f.write('large.log', Buffer.alloc(2 * 1024 * 1024, 'x'));
    const cut = await f.get('search', { path: '', text: 'none', in: 'contents' });
    expect(cut).toEqual({ found: [], complete: false });
  });
});

describe('a change', () => {
  it('creates what is not there', async () => {
    await f.done('file_create', { path: 'a/b', type: 'directory' });
    await f.done('file_create', { path: 'a/b/c.txt', type: 'file' });
    expect(read('a/b/c.txt')).toBe('');
    expect(await f.refusal('file_create', { path: 'a/b', type: 'directory' })).toBe('file_exists');
    expect(await f.refusal('file_create', { path: 'a/b/c.txt', type: 'file' })).toBe('file_exists');
    expect(await f.refusal('file_create', { path: 'a/b/c.txt/d', type: 'file' })).toBe('file_not_directory');
    for (const name of ['a\nb', 'photo\u{202e}gpj.exe', 'ä'.repeat(128), ''])
      expect(await f.refusal('file_create', { path: name, type: 'file' })).toBe('file_path_invalid');
    expect(left()).toEqual([]);
  });

  it('moves and copies with each choice for a conflict', async () => {
    const move = (on_conflict: string) =>
      f.perform('file_move', { moves: [{ from: 'from.txt', to: 'to.txt' }], on_conflict });
    for (const [choice, paths, to] of [
      ['skip', [null], 'old'],
      ['rename', ['to (2).txt'], 'old'],
      ['replace', ['to.txt'], 'new'],
    ] as const) {
      f.write('from.txt', 'new');
      f.write('to.txt', 'old');
      expect(await move(choice)).toEqual({ state: 'done', result: { paths } });
      expect(read('to.txt')).toBe(to);
      expect(existsSync(f.path('from.txt'))).toBe(choice === 'skip');
    }
    f.write('from.txt', 'new');
    expect(await move('refuse')).toEqual({
      state: 'failed',
      result: { error: 'file_exists', data: { path: 'to.txt' } },
    });
    expect(read('to (2).txt')).toBe('new');
    const copies = [{ from: 'from.txt', to: 'from.txt' }];
    expect((await f.done('file_copy', { copies })).paths).toEqual(['from (2).txt']);
  });

  it('puts nothing into itself, and nothing where there is nothing', async () => {
    f.write('a/b.txt', 'b');
    const pair = (from: string, to: string) => [{ from, to }];
    expect(await f.refusal('file_move', { moves: pair('a', 'a/b') })).toBe('file_into_itself');
    expect(await f.refusal('file_copy', { copies: pair('a', 'a/b/c') })).toBe('file_into_itself');
    expect(await f.refusal('file_move', { moves: pair('none', 'x') })).toBe('file_not_found');
    expect(await f.refusal('file_delete', { paths: [''] })).toBe('file_is_directory');
    expect((await f.done('file_move', { moves: pair('a', '/a') })).paths).toEqual(['/a']);
    expect(read('a/b.txt')).toBe('b');
  });

  it('copies a folder as a whole, says how far it is, and moves a folder it replaces to the trash', async () => {
    for (let index = 0; index < 5; index++) f.write(`world/r${index}/a.mca`, 'x'.repeat(1_000));
    writeFileSync(f.write('world/start.sh', '#!'), '#!', { mode: 0o755 });
    f.write('copy/old.txt', 'old');
    const copies = [{ from: 'world', to: 'copy' }];
    expect(await f.refusal('file_copy', { copies })).toBe('file_exists');
    await f.done('file_copy', { copies, on_conflict: 'replace' });
    expect(readdirSync(f.path('copy')).sort()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'start.sh']);
    expect(read('copy/r3/a.mca')).toHaveLength(1_000);
    const [, , done, total] = f.onProgress.mock.lastCall!;
    expect(done).toBe(total);
    const { items } = await f.get('trash', {});
    expect(items).toMatchObject([{ path: 'copy', type: 'directory', bytes: 3 }]);
    expect(left()).toEqual([]);
  });

  it('that does not fit is refused before the first byte', async () => {
    f.write('hole', 'x');
    truncateSync(f.path('hole'), 800 * 1024 ** 3);
    expect(await f.refusal('file_copy', { copies: [{ from: 'hole', to: 'copy' }] })).toBe('disk_full');
    expect(readdirSync(f.folder)).toEqual(['hole']);
  });
});

describe('the trash', () => {
  it('gives back what was deleted, beside what is there by now', async () => {
    f.write('a/b.txt', 'first');
    const first = await f.done('file_delete', { paths: ['a/b.txt'] });
    f.clock.now += 1_000;
    f.write('a/b.txt', 'second');
    const second = await f.done('file_delete', { paths: ['a'] });
    const { items, total } = await f.get('trash', { limit: 1 });
    expect([total, items]).toMatchObject([2, [{ path: 'a', type: 'directory', bytes: 6 }]]);
    const ids = [first, second].flatMap(({ trash }) => trash.map(({ trash_id }) => trash_id));
    expect((await f.done('file_restore', { trash_ids: ids })).paths).toEqual(['a/b.txt', 'a (2)']);
    expect([read('a/b.txt'), read('a (2)/b.txt')]).toEqual(['first', 'second']);
    expect((await f.get('trash', {})).total).toBe(0);
    for (const trash_id of [ids[0]!, '../../x', `${reserved_name}`])
      expect(await f.refusal('file_restore', { trash_ids: [trash_id] })).toBe('trash_item_not_found');
  });

  it('is emptied when asked, and of what is a week old', async () => {
    f.write('old/a.txt', 'old');
    await f.done('file_delete', { paths: ['old'] });
    f.clock.now += 6 * day_ms;
    f.write('new.txt', 'newer');
    await f.done('file_delete', { paths: ['new.txt'] });
    await f.files().expire();
    expect((await f.get('trash', {})).total).toBe(2);
    f.clock.now += 1.1 * day_ms;
    await f.files().expire();
    const { items } = await f.get('trash', {});
    expect(items.map(({ path, expires, deleted }) => [path, expires - deleted])).toEqual([
      ['new.txt', 7 * day_ms],
    ]);
    expect(await f.done('file_purge', { trash_ids: null })).toEqual({ items: 1, bytes: 5 });
    expect(readdirSync(f.path(`${reserved_name}/trash`))).toEqual([]);
  });
});

it('nothing changes while the files are held, and everything can be read', async () => {
  f.write('a.txt', 'a');
  const upload_id = await f.upload('b.txt', 'b');
  const copying = f.done('file_copy', { copies: [{ from: 'a.txt', to: 'c.txt' }] });
  const seen = await f.files().hold('backup_restore', async () => ({
    copied: read('c.txt'),
    finish: await f.ask('upload_finish', { upload_id, on_conflict: 'refuse' }),
    deletion: await f.refusal('file_delete', { paths: ['a.txt'] }),
    list: (await f.get('list', { path: '' })).total,
    again: await f
      .files()
      .hold('backup_restore', async () => {})
      .catch(({ code }) => code),
  }));
  await copying;
  const busy = { ok: false, error: 'server_busy', data: { by: 'backup_restore' } };
  expect(seen).toEqual({ copied: 'a', finish: busy, deletion: 'server_busy', list: 2, again: 'server_busy' });
  expect((await f.get('upload_finish', { upload_id, on_conflict: 'refuse' })).path).toBe('b.txt');
});

it('a thousand requests leave no descriptor open and no file behind', async () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  f.write('a/b.txt', 'x');
  await f.get('list', { path: '' });
  const before = open();
  for (let round = 0; round < 125; round++) {
    await f.done('file_create', { path: `n/${round}.txt`, type: 'file' });
    const upload_id = await f.upload(`n/up${round}.txt`, 'content');
    await f.get('upload_finish', { upload_id, on_conflict: 'replace' });
    await f.done('file_move', { moves: [{ from: `n/${round}.txt`, to: `m/${round}.txt` }] });
    await f.refusal('file_create', { path: 'a', type: 'directory' });
    await f.refusal('list', { path: 'none/none' });
    await f.get('search', { path: 'a', text: 'x', in: 'contents' });
    await f.done('file_delete', { paths: [`m/${round}.txt`, `n/up${round}.txt`] });
  }
  await f.done('file_purge', { trash_ids: null });
  expect(open()).toBeLessThanOrEqual(before + 3);
  expect(left()).toEqual([]);
  expect(statSync(f.path('n')).isDirectory()).toBe(true);
}, 60_000);
