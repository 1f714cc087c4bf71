import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

const mb = 1024 * 1024;
let f: FilesFixture;
let web: Server;
let at: string;
/** Requests that get no answer at all. */
let silent = 0;
beforeEach(async () => {
  f = await filesFixture({ disk_mb: 200 });
  silent = 0;
  web = createServer((request, answer) => {
    if (request.url === '/silent') silent++;
    // the rest of it never comes
    else answer.writeHead(200, { 'content-length': 9 * mb }).write('x'.repeat(mb));
  });
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterEach(async () => {
  web.closeAllConnections();
  await new Promise((done) => web.close(done));
  await f.end();
});

const canceled = { state: 'failed', result: { error: 'operation_canceled' } };
const fetching = (path: string, op_id: string, place = '/') =>
  f.perform('file_fetch', { url: at + place, path }, op_id);
const cancel = (op_id: string) => f.cancel(op_id);
/** Cancels `op_id` as soon as it says how far it is. */
const cancelAtProgress = (op_id: string): void =>
  void f.onProgress.mockImplementation((_server, which) => which === op_id && void cancel(op_id));
const expectNothingLeft = (...names: string[]): void => {
  expect(readdirSync(f.folder).sort()).toEqual([reserved_name, ...names].sort());
  expect(readdirSync(f.path(`${reserved_name}/temporary`))).toEqual([]);
};

it('ends a fetch in the middle, and one that gets no answer', async () => {
  const free = await f.files().use((access) => access.free());
  const op_id = randomUUID();
  cancelAtProgress(op_id);
  expect(await fetching('a.bin', op_id)).toMatchObject(canceled);
  const other = randomUUID();
  const waiting = fetching('b.bin', other, '/silent');
  await expect.poll(() => silent).toBe(1);
  expect(await cancel(other)).toEqual({ was_running: true });
  expect(await waiting).toMatchObject(canceled);
  expectNothingLeft();
  // the nine megabytes that were reserved for it are free again
  expect(free - (await f.files().use((access) => access.free()))).toBeLessThan(mb);
});

it('ends an unpacking before anything is at its place', async () => {
  const tar = pack();
  tar.entry({ name: 'a.txt' }, 'a');
  for (let i = 0; i < 4; i++) tar.entry({ name: `world/${i}.bin` }, Buffer.alloc(mb, i));
  tar.finalize();
  f.write('a.tar', await buffer(tar));
  const op_id = randomUUID();
  cancelAtProgress(op_id);
  const args = { path: 'a.tar', into: '', on_conflict: 'skip' };
  expect(await f.perform('file_unpack', args, op_id)).toMatchObject(canceled);
  expectNothingLeft('a.tar');
  f.onProgress.mockReset();
  expect(await f.done('file_unpack', args)).toMatchObject({ files: 5 });
});

it('ends a copy in the middle of a large file; what was complete stays', async () => {
  f.write('small.txt', 'small');
  f.write('world/r.mca', Buffer.alloc(24 * mb, 'r'));
  const copies = [
    { from: 'small.txt', to: 'copy.txt' },
    { from: 'world', to: 'copy' },
  ];
  const op_id = randomUUID();
  f.onProgress.mockImplementation((_server, _op, done) => done > mb && void cancel(op_id));
  expect(await f.perform('file_copy', { copies }, op_id)).toMatchObject(canceled);
  expectNothingLeft('copy.txt', 'small.txt', 'world');
  expect(readFileSync(f.path('copy.txt'), 'utf8')).toBe('small');

  f.onProgress.mockReset();
  await f.done('file_copy', { copies: [{ from: 'world', to: 'copy' }] });
  const made = readFileSync(f.path('copy/r.mca'));
  expect(made.equals(Buffer.alloc(24 * mb, 'r'))).toBe(true);
});

it('ends one that waits for its turn, and lets the others go on', async () => {
  const others = Array.from({ length: 16 }, () => randomUUID());
  const running = others.map((op_id, i) => fetching(`${i}.bin`, op_id, '/silent'));
  await expect.poll(() => silent).toBe(16);
  const op_id = randomUUID();
  const waiting = fetching('a.bin', op_id, '/silent');
  expect(await cancel(op_id)).toEqual({ was_running: true });
  expect(await waiting).toMatchObject(canceled);
  expect(silent).toBe(16);
  for (const one of others) await cancel(one);
  for (const one of await Promise.all(running)) expect(one).toMatchObject(canceled);
  expect(await f.done('file_create', { path: 'a', type: 'file' })).toEqual({});
});

it('changes nothing about what is over or was never there', async () => {
  const op_id = randomUUID();
  expect(await cancel(op_id)).toEqual({ was_running: false });
  await f.perform('file_create', { path: 'a', type: 'file' }, op_id);
  expect(await cancel(op_id)).toEqual({ was_running: false });
  expect(existsSync(f.path('a'))).toBe(true);
});
