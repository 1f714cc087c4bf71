import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContentFixture, contentFixture, sha512 } from '../testing/content.ts';
import { zipOf } from '../testing/zip.ts';

let f: ContentFixture;
beforeEach(async () => {
  f = await contentFixture({ disk_mb: 20 });
  f.write('mods/sky-1.jar', 'sky one');
  f.write('mods/axe.jar', 'axe');
  f.write('config/axe.toml', 'sharp = true');
});
afterEach(() => f.end());

const list = () => f.get('content_list', { folders: ['mods'] });
const changesLeft = () => {
  const folder = f.path('.cairn/changes');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a change', () => {
  it('adds, replaces, moves and removes all at once, and says what is there then', async () => {
    const { revision } = await list();
    const outcome = await f.apply({
      revision,
      add: [f.has('mods/sky-2.jar', 'sky two'), f.has('world/datapacks/new.zip', 'pack')],
      move: [{ from: 'mods/axe.jar', to: 'mods/axe.jar.disabled' }],
      remove: ['mods/sky-1.jar'],
    });
    const after = await list();
    expect(outcome).toMatchObject({
      state: 'done',
      result: { added: 2, moved: 1, removed: 1, revision: after.revision },
    });
    expect(after.revision).not.toBe(revision);
    expect(f.now()).toEqual({
      mods: 'folder',
      'mods/sky-2.jar': 'sky two',
      'mods/axe.jar.disabled': 'axe',
      world: 'folder',
      'world/datapacks': 'folder',
      'world/datapacks/new.zip': 'pack',
      config: 'folder',
      'config/axe.toml': 'sharp = true',
    });
    expect(f.ownerOf('mods/sky-2.jar')).toBe(f.uid);
    expect(f.onProgress.mock.lastCall?.slice(2)).toEqual([2, 2]);
    expect(f.store.journal.find('S1', 'changing')).toBeNull();
  });

  it('may exchange the names of two files, and is taken back exactly', async () => {
    const before = f.now();
    const move = [
      { from: 'mods/sky-1.jar', to: 'mods/axe.jar' },
      { from: 'mods/axe.jar', to: 'mods/sky-1.jar' },
    ];
    const { op_id } = await f.apply({ move });
    expect(f.now()).toMatchObject({ 'mods/axe.jar': 'sky one', 'mods/sky-1.jar': 'axe' });
    expect(await f.undo(op_id)).toMatchObject({ state: 'done', result: { moved: 2 } });
    expect(f.now()).toEqual(before);
  });

  it('brings files of a modpack over those of the server', async () => {
    const zip = await zipOf({
      'overrides/config/axe.toml': 'sharp = false',
      'overrides/config/new/sky.toml': 'high',
      'overrides/mods/extra.jar': 'general',
      'server-overrides/mods/extra.jar': 'for servers',
      'client-overrides/options.txt': 'not here',
      'modrinth.index.json': '{}',
    });
    const before = f.now();
    const { bytes, sha512 } = f.has('', zip);
    const { op_id, ...outcome } = await f.apply({
      add: [f.has('mods/extra.jar', 'of the list')],
      archive: { sha512, bytes, folders: ['overrides', 'server-overrides'] },
    });
    expect(outcome).toMatchObject({ state: 'done', result: { added: 3 } });
    expect(f.now()).toEqual({
      ...before,
      'config/axe.toml': 'sharp = false',
      'config/new': 'folder',
      'config/new/sky.toml': 'high',
      'mods/extra.jar': 'for servers',
    });
    await f.undo(op_id);
    expect(f.now()).toEqual(before);
  });

  it('fetches public addresses in their order, never a private one', async () => {
    const web = createServer((request, answer) => {
      if (request.url === '/good') answer.end('sky two');
      else if (request.url === '/other') answer.end('sky 2!!');
      else answer.writeHead(404).end();
    });
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    const at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    try {
      const file = { path: 'mods/sky-2.jar', sha512: sha512('sky two'), bytes: 7 };
      const urls = ['http://10.0.0.1/x', `${at}/gone`, `${at}/other`, `${at}/good`];
      expect(await f.apply({ get: null, add: [{ ...file, urls }] })).toMatchObject({ state: 'done' });
      const only = { ...file, path: 'mods/b.jar', urls: ['http://169.254.169.254/latest'] };
      expect(await f.apply({ get: null, add: [only] })).toMatchObject({
        state: 'failed',
        result: {
          error: 'content_download_failed',
          data: { file: 'mods/b.jar', problem: 'its address is not public' },
        },
      });
    } finally {
      await new Promise((done) => web.close(done));
    }
  });
});

describe('a change that fails leaves everything as it was', () => {
  const added = (change: object = {}) => [{ ...f.has('mods/new.jar', 'new content'), ...change }];
  const cut = () => {
    const file = f.has('mods/new.jar', 'never arrives');
    f.requests.set(`/transfers?content=secret&file=${file.sha512}`, (_, answer) => {
      answer.writeHead(200, { 'content-length': 13 }).write('never', () => answer.destroy());
    });
    return [file];
  };
  const archive = async (files: Parameters<typeof zipOf>[0]) => {
    const { sha512, bytes } = f.has('', await zipOf(files));
    return { sha512, bytes, folders: ['overrides'] };
  };
  it.each<[string, () => object | Promise<object>, string]>([
    ['its files changed meanwhile', () => ({ revision: 'another', add: added() }), 'content_changed'],
    [
      'a hash is another one',
      () => ({ add: added({ sha512: sha512('x') }), get: '/g?x=1' }),
      'content_download_failed',
    ],
    [
      'content is not what its hash says',
      () => {
        const file = f.has('mods/new.jar', 'genuine');
        f.requests.set(`/transfers?content=secret&file=${file.sha512}`, (_, answer) => answer.end('forged!'));
        return { add: [file] };
      },
      'content_hash_wrong',
    ],
    ['a file is longer than it says', () => ({ add: added({ bytes: 3 }) }), 'content_hash_wrong'],
    ['a file is shorter than it says', () => ({ add: added({ bytes: 300 }) }), 'content_download_failed'],
    ['a download is cut', () => ({ add: cut() }), 'content_download_failed'],
    ['there is no address', () => ({ get: null, add: added() }), 'content_download_failed'],
    ['the disk is full', () => ({ add: added({ bytes: 50 * 1024 * 1024 }) }), 'disk_full'],
    ['what it removes is gone', () => ({ add: added(), remove: ['mods/gone.jar'] }), 'file_not_found'],
    ['it removes a folder', () => ({ add: added(), remove: ['config'] }), 'file_is_directory'],
    ['a folder has the name of a file', () => ({ add: added({ path: 'config' }) }), 'file_is_directory'],
    [
      'a file is where a folder has to be',
      () => ({ add: added({ path: 'mods/axe.jar/x.jar' }) }),
      'file_not_directory',
    ],
    ['a path leads out', () => ({ add: added({ path: 'mods/../../x' }) }), 'file_path_invalid'],
    ['a path is Cairn’s own', () => ({ add: added({ path: '.cairn/x' }) }), 'file_path_invalid'],
    ['two files have one place', () => ({ add: [...added(), ...added()] }), 'invalid_input'],
    [
      'a file is below another one',
      () => ({ add: [...added(), ...added({ path: 'mods/new.jar/x' })] }),
      'invalid_input',
    ],
    [
      'an archive leads out',
      async () => ({ archive: await archive({ 'overrides/../../x': 'x' }) }),
      'file_path_invalid',
    ],
    [
      'an archive has Cairn’s folder',
      async () => ({ archive: await archive({ 'overrides/.cairn/x': 'x' }) }),
      'file_path_invalid',
    ],
    [
      'an archive has a link',
      async () => ({ archive: await archive({ 'overrides/mods/x.jar': { link: '/etc/passwd' } }) }),
      'server_archive_unreadable',
    ],
    [
      'an archive is none',
      () => ({ archive: { ...f.has('', 'PK nonsense'), folders: ['overrides'] } }),
      'server_archive_unreadable',
    ],
    [
      'an archive is a bomb',
      async () => ({ archive: await archive({ 'overrides/world/zeros': '0'.repeat(30 * 1024 * 1024) }) }),
      'disk_full',
    ],
  ])('%s', async (_, change, error) => {
    const before = f.now();
    expect(await f.apply(await change())).toMatchObject({ state: 'failed', result: { error } });
    expect(f.now()).toEqual(before);
    expect(changesLeft()).toEqual([]);
    expect(f.store.journal.find('S1', 'changing')).toBeNull();
  });

  it('a folder that is a link is no place, and nothing appears where it leads', async () => {
    mkdirSync(`${f.data}/outside`);
    rmSync(f.path('mods'), { recursive: true });
    symlinkSync(`${f.data}/outside`, f.path('mods'));
    for (const change of [{ add: added() }, { remove: ['mods/x.jar'] }])
      expect(await f.apply(change)).toMatchObject({ result: { error: 'file_not_directory' } });
    expect(readdirSync(`${f.data}/outside`)).toEqual([]);
    expect(await f.refusal('content_list', { folders: ['mods'] })).toBe('file_not_directory');
  });

  it('a link in a folder is not listed; replaced, what it leads to stays', async () => {
    writeFileSync(`${f.data}/secret`, 'secret');
    symlinkSync(`${f.data}/secret`, f.path('mods/link.jar'));
    expect((await list()).files.map(({ path }) => path)).toEqual(['mods/axe.jar', 'mods/sky-1.jar']);
    const before = f.now();
    const { op_id } = await f.apply({ add: [f.has('mods/link.jar', 'a file')] });
    expect(f.now()['mods/link.jar']).toBe('a file');
    await f.undo(op_id);
    expect(f.now()).toEqual(before);
  });

  it('it is canceled while it downloads', async () => {
    const file = f.has('mods/new.jar', 'slow');
    const waiting = Promise.withResolvers<void>();
    f.requests.set(`/transfers?content=secret&file=${file.sha512}`, (_, answer) => {
      answer.writeHead(200, { 'content-length': 4 }).write('s');
      waiting.resolve();
    });
    const before = f.now();
    const op_id = crypto.randomUUID();
    const ended = f.apply({ add: [file] }, op_id);
    await waiting.promise;
    expect(await f.run('content_cancel', { op_id })).toMatchObject({ result: { was_running: true } });
    expect(await ended).toMatchObject({ state: 'failed', result: { error: 'change_canceled' } });
    expect(f.now()).toEqual(before);
    expect(await f.run('content_cancel', { op_id })).toMatchObject({ result: { was_running: false } });
  });
});
