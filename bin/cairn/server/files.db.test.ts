import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type RentedServer, rentServer, testControlPlane } from '#control/testing/plane.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';
import { uploadIdOf } from './upload-to-server.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const folder = mkdtempSync(join(tmpdir(), 'cairn-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rent = () => rentServer(database.sql, plane.url);

const cairn = serverCommand(plane);
const files = (renter: RentedServer, verb: string, ...words: string[]) =>
  cairn(renter, 'files', verb, renter.id, ...words);

describe('cairn server files', () => {
  it('lists, finds and describes', async () => {
    const renter = await rent();
    const { files: remote } = renter.runner;
    remote.files.set('world/level.dat', Buffer.from('12345'));
    remote.files.set('bad\u001b[31mname', Buffer.from('1'));
    const listed = await files(renter, 'ls');
    expect(listed.out).toContain('bad\u{fffd}[31mname');
    expect(JSON.parse((await files(renter, 'ls', 'world', '--json')).out)).toMatchObject([
      { name: 'level.dat', bytes: 5 },
    ]);
    expect((await files(renter, 'ls', '--limit', '1')).errors).toBe('1 more: use --from 1.');
    expect(await files(renter, 'search', 'level')).toMatchObject({ code: 0, out: 'world/level.dat' });
    const found = await files(renter, 'stat', 'world', 'gone', '--json');
    expect([found.code, JSON.parse(found.out)]).toMatchObject([1, [{ type: 'directory' }, null]]);
    expect(found.errors).toBe('Not there: gone');
  });

  it('uploads, and goes on after it was interrupted', async () => {
    const renter = await rent();
    const { files: remote } = renter.runner;
    const file = join(folder, 'map.bin');
    const content = Buffer.alloc(300_000, 'map');
    writeFileSync(file, content);
    // what is sent is stored by half, and not acknowledged
    remote.before = async (query, { get, upload_id }) => {
      if (query !== 'upload_receive') return null;
      const answer = await fetch(`${remote.url}${get}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      remote.uploads.get(upload_id!)!.content = bytes.subarray(0, 100_000);
      return { ok: false, error: 'disk_full', data: {} };
    };
    const cut = await files(renter, 'put', file, '--to', 'world/');
    expect(cut).toMatchObject({ code: 1, errors: expect.stringContaining('disk of this server is full') });
    remote.before = async () => null;
    remote.asked.length = 0;
    expect(await files(renter, 'put', file, '--to', 'world')).toMatchObject({
      ...{ code: 0, out: 'world/map.bin' },
    });
    expect(remote.asked.find(({ query }) => query === 'upload_receive')?.args.offset).toBe(100_000);
    expect(remote.files.get('world/map.bin')!.equals(content)).toBe(true);
    expect(await files(renter, 'put', file, '--to', 'world')).toMatchObject({
      ...{ code: 1, errors: expect.stringContaining('already something named world/map.bin') },
    });
    expect(remote.uploads.size).toBe(0);
    // a complete upload may be that of an earlier command, which is at its place: the file is sent anew
    const found = statSync(file);
    const upload_id = uploadIdOf({
      ...{ server_id: renter.id, path: 'world/map.bin', bytes: found.size, modified_ms: found.mtimeMs },
    });
    remote.uploads.set(upload_id, { path: 'world/map.bin', bytes: found.size, content: Buffer.alloc(0) });
    remote.uploads.get(upload_id)!.content = Buffer.alloc(300_000, 'old');
    const replaced = await files(renter, 'put', file, '--to', 'world', '--on-conflict', 'replace', '--json');
    expect(JSON.parse(replaced.out)).toEqual(['world/map.bin']);
    expect(remote.files.get('world/map.bin')!.equals(content)).toBe(true);
    expect(remote.uploads.size).toBe(0);
    expect((await files(renter, 'put', join(folder, 'gone'))).code).toBe(1);
  });

  it('downloads into a file that does not exist yet', async () => {
    const renter = await rent();
    renter.runner.files.files.set('a.txt', Buffer.from('text'));
    const to = join(folder, 'a.txt');
    expect((await files(renter, 'get', 'a.txt', '--to', to)).code).toBe(0);
    expect(readFileSync(to, 'utf8')).toBe('text');
    expect((await files(renter, 'get', 'a.txt', '--to', to)).errors).toBe(`${to} exists already.`);
    const all = join(folder, 'all.zip');
    await files(renter, 'get', '.', '--as', 'zip', '--to', all);
    expect(readFileSync(all, 'utf8')).toBe('zip of ');
    expect(await files(renter, 'cat', 'gone')).toMatchObject({ code: 1 });
  });

  it('changes things by operations that the panel uses', async () => {
    const renter = await rent();
    const { results, operations } = renter.runner;
    results.set('file_create', {});
    results.set('file_move', { paths: ['b'] });
    results.set('file_copy', { paths: [null] });
    results.set('file_delete', { trash: [{ trash_id: 't1', path: 'a' }] });
    results.set('file_restore', { paths: ['a'] });
    results.set('file_purge', { items: 1, bytes: 2 });
    results.set('file_unpack', { files: 3, skipped: 0, bytes: 9 });
    results.set('file_fetch', { path: 'c', bytes: 1 });
    expect((await files(renter, 'mkdir', 'd')).code).toBe(0);
    expect((await files(renter, 'mv', 'a', 'b')).out).toBe('b');
    expect((await files(renter, 'cp', 'a', 'b', '--on-conflict', 'skip')).out).toBe('skipped');
    expect((await files(renter, 'rm', 'a')).out).toContain('t1');
    expect((await files(renter, 'restore', 't1')).out).toBe('a');
    expect((await files(renter, 'purge', '--all')).code).toBe(0);
    expect((await files(renter, 'purge')).code).toBe(1);
    expect((await files(renter, 'unpack', 'a.zip', '.')).code).toBe(0);
    expect((await files(renter, 'fetch', 'https://example.org/c', 'c')).out).toBe('c');
    expect(operations.map(({ kind, args }) => [kind, args])).toEqual([
      ['file_create', { path: 'd', type: 'directory' }],
      ['file_move', { moves: [{ from: 'a', to: 'b' }], on_conflict: 'refuse' }],
      ['file_copy', { copies: [{ from: 'a', to: 'b' }], on_conflict: 'skip' }],
      ['file_delete', { paths: ['a'] }],
      ['file_restore', { trash_ids: ['t1'] }],
      ['file_purge', { trash_ids: null }],
      ['file_unpack', { path: 'a.zip', into: '', on_conflict: 'skip' }],
      ['file_fetch', { url: 'https://example.org/c', path: 'c', on_conflict: 'refuse' }],
    ]);
  });

  it('cancels what goes on, by its ID and by Ctrl+C', async () => {
    const renter = await rent();
    const { runner } = renter;
    runner.answerOperation = ({ kind, args, server_id }) => {
      const ended = { op_id: args.op_id, state: 'failed', result: { error: 'operation_canceled', data: {} } };
      if (kind === 'file_cancel') void runner.report('operation.ended', server_id, ended);
      return { status: 'accepted' };
    };
    const before = process.listenerCount('SIGINT');
    const begin = async (count: number) => {
      const ended = files(renter, 'fetch', 'https://example.org/c', 'c');
      const fetches = () => runner.operations.filter(({ kind }) => kind === 'file_fetch');
      await expect.poll(fetches).toHaveLength(count);
      return { ended, op_id: fetches().at(-1)!.op_id };
    };
    const first = await begin(1);
    expect(await files(renter, 'cancel', first.op_id)).toMatchObject({ code: 0, out: 'canceled' });
    expect(await first.ended).toMatchObject({ code: 1, errors: 'It was canceled.' });
    const second = await begin(2);
    (process.listeners('SIGINT').at(-1) as () => void)();
    expect(await second.ended).toMatchObject({ code: 1, errors: 'It was canceled.' });
    expect(process.listenerCount('SIGINT')).toBe(before);
    expect(await files(renter, 'cancel', crypto.randomUUID())).toMatchObject({ code: 1 });
  });

  it('says with its exit code that a dry run found conflicts', async () => {
    const renter = await rent();
    const plan = { files: 2, bytes: 5, conflicts: ['a'], more_conflicts: 0 };
    renter.runner.files.before = async () => ({ ok: true, result: plan });
    const found = await files(renter, 'unpack', 'a.zip', '.', '--dry-run', '--json');
    expect([found.code, JSON.parse(found.out)]).toEqual([2, { ...plan, unclear: 0, unclear_names: [] }]);
    expect(renter.runner.operations).toEqual([]);
  });
});
