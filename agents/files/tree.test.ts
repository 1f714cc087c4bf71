import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';
import { Tree } from './tree.ts';

let f: FilesFixture;
let outside: string;
beforeEach(async () => {
  f = await filesFixture();
  outside = join(f.data, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
});
afterEach(() => f.end());

describe('a path that leads out', () => {
  it.each([
    ['../outside/secret', 'file_path_invalid'],
    ['a/../../outside/secret', 'file_path_invalid'],
    ['/etc/../passwd', 'file_path_invalid'],
    ['a\0b', 'file_path_invalid'],
    ['x'.repeat(256), 'file_path_invalid'],
    [reserved_name, 'file_path_invalid'],
    [`${reserved_name}/uploads/x`, 'file_path_invalid'],
    // an absolute path is one below the server's folder
    ['/etc/passwd', 'file_not_found'],
    ['link', 'file_not_regular'],
    ['links/secret', 'file_not_directory'],
    ['pipe', 'file_not_regular'],
  ])('%j is refused by every request: %s', async (path, code) => {
    symlinkSync(join(outside, 'secret'), f.path('link'));
    symlinkSync(outside, f.path('links'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', f.path('pipe')]);
    expect(await f.refusal('send', { paths: [path], as: 'file', put: '/x' })).toBe(code);
    if (code === 'file_path_invalid') {
      for (const query of ['list', 'search'] as const)
        expect(await f.refusal(query, { path, text: 'x', in: 'names' })).toBe(code);
      expect(await f.refusal('stat', { paths: [path] })).toBe(code);
      expect(await f.refusal('file_delete', { paths: [path] })).toBe(code);
      expect(await f.refusal('file_create', { path, type: 'file' })).toBe(code);
      expect(await f.refusal('file_move', { moves: [{ from: 'pipe', to: path }] })).toBe(code);
    }
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('is not written through a link to a folder', async () => {
    symlinkSync(outside, f.path('links'));
    f.write('a.txt', 'a');
    for (const [kind, args] of [
      ['file_create', { path: 'links/new', type: 'directory' }],
      ['file_create', { path: 'links/new', type: 'file' }],
      ['file_move', { moves: [{ from: 'a.txt', to: 'links/new' }] }],
      ['file_copy', { copies: [{ from: 'a.txt', to: 'links/new' }] }],
    ] as const)
      expect(await f.refusal(kind, args)).toBe('file_not_directory');
    const upload_id = await f.upload('links/new', 'x');
    expect(await f.refusal('upload_finish', { upload_id, on_conflict: 'replace' })).toBe(
      'file_not_directory',
    );
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('is removed as a link, with what it leads to untouched', async () => {
    symlinkSync(outside, f.path('links'));
    mkdirSync(f.path('deep'));
    symlinkSync(outside, f.path('deep/links'));
    const { trash } = await f.done('file_delete', { paths: ['links', 'deep'] });
    await f.done('file_purge', { trash_ids: trash.map(({ trash_id }) => trash_id) });
    expect(readdirSync(outside)).toEqual(['secret']);
    expect((await f.get('list', { path: '' })).total).toBe(0);
  });

  it('is shown as a link, and left out of searches, copies and archives', async () => {
    f.write('plugins/own.txt', 'mine, not a secret of others');
    symlinkSync(join(outside, 'secret'), f.path('plugins/link'));
    symlinkSync(outside, f.path('plugins/links'));
    const { entries } = await f.get('list', { path: 'plugins' });
    expect(entries.map(({ name, type }) => [name, type])).toEqual([
      ['link', 'link'],
      ['links', 'link'],
      ['own.txt', 'file'],
    ]);
    const { found } = await f.get('search', { path: '', text: 'secret', in: 'contents' });
    expect(found.map(({ path }) => path)).toEqual(['plugins/own.txt']);
    await f.done('file_copy', { copies: [{ from: 'plugins', to: 'copy' }] });
    expect(readdirSync(f.path('copy'))).toEqual(['own.txt']);
    const { body } = await f.sent({ paths: ['plugins'], as: 'tar.zst' });
    const list = execFileSync('tar', ['--zstd', '-tf', '-'], { input: body, encoding: 'utf8' });
    expect(list.trim().split('\n')).toEqual(['plugins/', 'plugins/own.txt']);
  });
});

it('no read leaks while a folder is swapped with a link out', async () => {
  f.write('world/secret', 'mine');
  // [0] ends it, [1] counts its rounds
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  const attacker = new Worker(
    `const { renameSync, rmSync, symlinkSync } = require('node:fs');
     const { at, outside, shared } = require('node:worker_threads').workerData;
     const flags = new Int32Array(shared);
     // what the agent made there meanwhile gives way
     const move = (from, to) => {
       for (;;)
         try {
           return renameSync(from, to);
         } catch {
           rmSync(to, { recursive: true, force: true });
         }
     };
     symlinkSync(outside, at + '-link');
     while (!Atomics.load(flags, 0)) {
       move(at, at + '-own');
       move(at + '-link', at);
       Atomics.add(flags, 1, 1);
       move(at, at + '-link');
       move(at + '-own', at);
     }`,
    { eval: true, workerData: { at: f.path('world'), outside, shared } },
  );
  const ended = new Promise((done) => attacker.once('exit', done));
  const seen = { mine: 0, refused: 0, secret: 0 };
  try {
    // until it happened often, whoever is faster; reads, searches and writes
    while (Atomics.load(flags, 1) < 10_000 || seen.mine < 100 || seen.refused < 100) {
      const reads = Array.from({ length: 8 }, () =>
        Tree.use(f.folder, f.uid, (tree) =>
          tree.at('world/secret', async (folder, name) => {
            const handle = await folder.file(name);
            return await handle.readFile('utf8').finally(() => handle.close());
          }),
        ).catch(() => 'refused'),
      );
      for (const text of await Promise.all(reads)) seen[text as keyof typeof seen]++;
      await f.perform('file_create', { path: 'world/new', type: 'file' });
      await f.perform('file_delete', { paths: ['world/new'] });
    }
  } finally {
    Atomics.store(flags, 0, 1);
    await ended;
  }
  expect(seen.secret).toBe(0);
  expect(readdirSync(outside)).toEqual(['secret']);
}, 120_000);

it('a file of two names is never written in place', async () => {
  f.write('server.properties', 'motd=old');
  linkSync(f.path('server.properties'), join(f.data, 'elsewhere'));
  const upload_id = await f.upload('server.properties', 'motd=new');
  await f.get('upload_finish', { upload_id, on_conflict: 'replace' });
  expect(readFileSync(f.path('server.properties'), 'utf8')).toBe('motd=new');
  expect(readFileSync(join(f.data, 'elsewhere'), 'utf8')).toBe('motd=old');
});

describe('the folder of Cairn itself', () => {
  it('is not listed, not found and in no archive', async () => {
    f.write('a.txt', 'trash');
    await f.done('file_delete', { paths: ['a.txt'] });
    f.write('b.txt', 'trash');
    expect(existsSync(f.path(reserved_name))).toBe(true);
    expect((await f.get('list', { path: '' })).entries.map(({ name }) => name)).toEqual(['b.txt']);
    const { found } = await f.get('search', { path: '', text: 'trash', in: 'contents' });
    expect(found.map(({ path }) => path)).toEqual(['b.txt']);
    const { body } = await f.sent({ paths: [''], as: 'tar.zst' });
    const list = execFileSync('tar', ['--zstd', '-tf', '-'], { input: body, encoding: 'utf8' });
    expect(list.trim()).toBe('b.txt');
  });

  it('is used only when it is ours', async () => {
    // what the process of a server may put there
    symlinkSync(outside, f.path(reserved_name));
    f.write('a.txt');
    await f.done('file_delete', { paths: ['a.txt'] });
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(lstatSync(f.path(reserved_name)).isDirectory()).toBe(true);
    expect(statSync(f.path(reserved_name)).mode & 0o777).toBe(0o700);
    renameSync(f.path(reserved_name), f.path('moved'));
    mkdirSync(f.path(reserved_name), { mode: 0o777 });
    execFileSync('chmod', ['777', f.path(reserved_name)]);
    f.write('b.txt');
    await f.done('file_delete', { paths: ['b.txt'] });
    expect(statSync(f.path(reserved_name)).mode & 0o777).toBe(0o700);
  });
});

it('what is made belongs to the user of the server', async () => {
  const upload_id = await f.upload('new/deep/a.txt', 'a');
  await f.get('upload_finish', { upload_id, on_conflict: 'refuse' });
  await f.done('file_create', { path: 'made/file', type: 'file' });
  await f.done('file_create', { path: 'made/folder', type: 'directory' });
  await f.done('file_copy', { copies: [{ from: 'new', to: 'copy' }] });
  for (const path of [
    'new',
    'new/deep',
    'new/deep/a.txt',
    'made',
    'made/file',
    'made/folder',
    'copy/deep/a.txt',
  ])
    expect([path, statSync(f.path(path)).uid]).toEqual([path, f.uid]);
});
