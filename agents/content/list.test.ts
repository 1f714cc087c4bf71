import { statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { max_content_files, max_text_bytes } from '#control/protocol/content.ts';
import { Folder } from '../files/folder.ts';
import { type ContentFixture, contentFixture, sha512 } from '../testing/content.ts';

let f: ContentFixture;
beforeEach(async () => {
  f = await contentFixture();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await f.end();
});
const list = (...folders: string[]) => f.get('content_list', { folders });

describe('the content of a server', () => {
  it('is what is directly in its folders, with hashes', async () => {
    f.write('mods/b.jar', 'b');
    f.write('mods/a.jar.disabled', 'a');
    f.write('mods/.index/x.toml', 'not directly');
    f.write('plugins/c.jar', 'c');
    symlinkSync('/etc/hostname', f.path('mods/link.jar'));
    const { files, more } = await list('mods', 'plugins', 'world/datapacks', 'mods');
    expect(files.map(({ path, sha512, bytes }) => [path, bytes, sha512])).toEqual([
      ['mods/a.jar.disabled', 1, sha512('a')],
      ['mods/b.jar', 1, sha512('b')],
      ['plugins/c.jar', 1, sha512('c')],
    ]);
    expect(more).toBe(0);
    expect(await list('none')).toMatchObject({ files: [], more: 0 });
  });

  it('has files whose names are no UTF-8', async () => {
    f.write('mods/a.jar', 'a');
    writeFileSync(Buffer.concat([Buffer.from(f.path('mods/')), Buffer.from('caf\xe9.jar', 'latin1')]), 'b');
    const { files } = await list('mods');
    expect(files.map(({ path, sha512 }) => [path, sha512])).toEqual([
      ['mods/a.jar', sha512('a')],
      ['mods/caf\uefe9.jar', sha512('b')],
    ]);
  });

  it('is read once, and again when it changed, also with its old size and time', async () => {
    const path = f.write('mods/a.jar', 'one');
    f.write('mods/b.jar', 'two');
    const read = vi.spyOn(Folder.prototype, 'file');
    const [first] = await Promise.all([list('mods'), list('mods')]);
    expect(read).toHaveBeenCalledTimes(2);
    const { mtime } = statSync(path);
    writeFileSync(path, 'six');
    utimesSync(path, mtime, mtime);
    const second = await list('mods');
    expect(read).toHaveBeenCalledTimes(3);
    expect(second.files[0]?.sha512).toBe(sha512('six'));
    expect(second.revision).not.toBe(first.revision);
    writeFileSync(path, 'one');
    expect((await list('mods')).revision).toBe(first.revision);
  });

  it('is cut where it is too much, and its revision still knows the rest', async () => {
    for (let index = 0; index < max_content_files + 5; index++)
      f.write(`mods/${String(index).padStart(5, '0')}.jar`, `${index}`);
    const before = await list('mods');
    expect(before.files).toHaveLength(max_content_files);
    expect(before.more).toBe(5);
    f.write(`mods/${String(max_content_files + 4).padStart(5, '0')}.jar`, 'another');
    expect((await list('mods')).revision).not.toBe(before.revision);
  });

  it('fits into a message, however long its names are', async () => {
    for (let index = 0; index < 1_900; index++)
      f.write(`mods/${String(index).padStart(4, '0')}${'ü'.repeat(120)}.jar`, '');
    const answer = await list('mods');
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(900_000);
    expect(answer.files.length + answer.more).toBe(1_900);
  });
});

describe('a small file', () => {
  const read = (path = 'server.properties') => f.get('read_text', { path });
  const write = (text: string, if_etag: string, path = 'server.properties') => ({
    ...{ path, if_etag, content: Buffer.from(text).toString('base64') },
  });
  const text = async () => Buffer.from((await read()).content, 'base64').toString();

  it('is created, read and replaced by whoever read it last', async () => {
    const first = await f.get('write_text', write('motd=One\n', ''));
    expect(await read()).toEqual({ content: Buffer.from('motd=One\n').toString('base64'), etag: first.etag });
    expect(await f.refusal('write_text', write('mine', ''))).toBe('file_changed');
    const second = await f.get('write_text', write('motd=Two\n', first.etag));
    expect(await f.refusal('write_text', write('late', first.etag))).toBe('file_changed');
    expect([await text(), f.ownerOf('server.properties')]).toEqual(['motd=Two\n', f.uid]);
    expect(second.etag).toBe((await read()).etag);
    expect(await f.refusal('write_text', write('x', 'never', 'other.txt'))).toBe('file_changed');
  });

  it('keeps bytes that are no text', async () => {
    f.write('server.properties', Buffer.from([0x6d, 0xe9, 0xff, 0]));
    expect((await read()).content).toBe(Buffer.from([0x6d, 0xe9, 0xff, 0]).toString('base64'));
  });

  it.each<[string, () => unknown, object, string]>([
    ['that is missing', () => {}, { path: 'none' }, 'file_not_found'],
    ['that is a folder', () => f.write('a/b'), { path: 'a' }, 'file_is_directory'],
    ['that is a link', () => symlinkSync('/etc/passwd', f.path('l')), { path: 'l' }, 'file_not_regular'],
    [
      'that is large',
      () => truncateSync(f.write('big'), max_text_bytes + 1),
      { path: 'big' },
      'server_file_too_large',
    ],
    ['outside', () => {}, { path: '../x' }, 'file_path_invalid'],
    ['of Cairn', () => {}, { path: '.cairn/changes' }, 'file_path_invalid'],
  ])('%s is refused', async (_, prepare, args, code) => {
    prepare();
    expect(await f.refusal('read_text', args)).toBe(code);
  });

  it('is not written over a folder, over a link or beyond its limit', async () => {
    f.write('a/b');
    symlinkSync(f.write('real', 'real'), f.path('l'));
    expect(await f.refusal('write_text', write('x', '', 'a'))).toBe('file_is_directory');
    expect(await f.refusal('write_text', write('x', '', 'l'))).toBe('file_changed');
    expect(await f.refusal('write_text', write('x'.repeat(max_text_bytes + 1), '', 'n'))).toBe(
      'server_file_too_large',
    );
    expect(f.now()).toMatchObject({ real: 'real' });
  });
});
