import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';
import { archiveLimits } from './archive-limits.ts';
import { unpackArchive, unpackPlan } from './unpack.ts';

let f: FilesFixture;
beforeEach(async () => {
  f = await filesFixture({ disk_mb: 20 });
});
afterEach(() => f.end());

type Headers = Parameters<ReturnType<typeof pack>['entry']>[0];
type Entry = [name: string, content: string, header?: Partial<Headers>];
async function tarOf(...entries: Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const [name, content, header] of entries) tar.entry({ name, ...header }, content);
  tar.finalize();
  return await buffer(tar);
}
async function zipOf(...entries: Entry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return await buffer(zip.outputStream);
}
/** `zip` with every `from` in it replaced by `to`, which is as long: names that its writer refuses. */
const forged = (zip: Buffer, from: string, to: string): Buffer =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');

const read = (path: string): string => readFileSync(f.path(path), 'utf8');
const unpack = (path: string, args: object = {}) =>
  f.perform('file_unpack', { path, into: 'out', on_conflict: 'replace', ...args });
const left = (): string[] => readdirSync(f.path(`${reserved_name}/temporary`));
const two: Entry[] = [
  ['world/level.dat', 'level'],
  ['world/deep/a.txt', 'a'],
];

describe('an archive', () => {
  it.each([
    ['zip', async () => zipOf(...two)],
    ['tar', async () => tarOf(...two)],
    ['tar.gz', async () => gzipSync(await tarOf(...two))],
    ['tar.zst', async () => zstdCompressSync(await tarOf(...two))],
  ])('%s is planned and unpacked, whatever its name is', async (_, made) => {
    f.write('upload.bin', await made());
    f.write('out/world/level.dat', 'mine');
    const conflicts = { conflicts: ['out/world/level.dat'], more_conflicts: 0 };
    const plan = { files: 2, bytes: 6, ...conflicts, unclear: 0, unclear_names: [] };
    expect(await f.get('unpack_plan', { path: 'upload.bin', into: 'out' })).toEqual(plan);
    expect(read('out/world/level.dat'), 'only planned').toBe('mine');
    expect(await unpack('upload.bin')).toEqual({ state: 'done', result: { files: 2, skipped: 0, bytes: 6 } });
    expect([read('out/world/level.dat'), read('out/world/deep/a.txt')]).toEqual(['level', 'a']);
    expect(statSync(f.path('out/world/deep/a.txt')).uid).toBe(f.uid);
    const [, , done, total] = f.onProgress.mock.lastCall!;
    expect(done).toBeLessThanOrEqual(total);
    expect(left()).toEqual([]);
  });

  it('of one file is that file', async () => {
    f.write('latest.log.gz', gzipSync('one'));
    f.write('map.zst', zstdCompressSync('two'));
    expect(await f.get('unpack_plan', { path: 'map.zst', into: '' })).toMatchObject({ files: 1, bytes: 3 });
    await f.done('file_unpack', { path: 'latest.log.gz', into: '', on_conflict: 'replace' });
    await f.done('file_unpack', { path: 'map.zst', into: '', on_conflict: 'replace' });
    expect([read('latest.log'), read('map')]).toEqual(['one', 'two']);
  });

  it('keeps both, or leaves what is there', async () => {
    f.write('a.zip', await zipOf(...two));
    f.write('out/world/level.dat', 'mine');
    expect(await unpack('a.zip', { on_conflict: 'skip' })).toMatchObject({
      result: { files: 1, skipped: 1 },
    });
    expect(read('out/world/level.dat')).toBe('mine');
    expect(await unpack('a.zip', { on_conflict: 'rename' })).toMatchObject({
      result: { files: 2, skipped: 0 },
    });
    expect([read('out/world/level.dat'), read('out/world/level (2).dat')]).toEqual(['mine', 'level']);
  });

  it('that was sent comes back the same', async () => {
    f.write('world/a/level.dat', 'x'.repeat(100_000));
    f.write('world/start.sh', '#!');
    mkdirSync(f.path('world/empty'));
    execFileSync('chmod', ['755', f.path('world/start.sh')]);
    for (const as of ['zip', 'tar.zst']) {
      f.write(`sent.${as}`, (await f.sent({ paths: ['world', 'world/start.sh'], as })).body);
      expect(await unpack(`sent.${as}`, { into: as })).toMatchObject({ result: { files: 3 } });
      expect(read(`${as}/world/a/level.dat`)).toBe('x'.repeat(100_000));
      expect(statSync(f.path(`${as}/world/empty`)).isDirectory()).toBe(true);
      expect(statSync(f.path(`${as}/world/start.sh`)).mode & 0o777).toBe(0o755);
    }
  });
});

describe('an archive that is an attack', () => {
  const refused = async (content: Buffer, code: string): Promise<void> => {
    f.write('attack', content);
    const before = readdirSync(f.folder).sort();
    expect(await f.refusal('unpack_plan', { path: 'attack', into: 'out' })).toBe(code);
    expect(await unpack('attack')).toMatchObject({ state: 'failed', result: { error: code } });
    expect(readdirSync(f.folder).sort()).toEqual([...new Set([...before, reserved_name])].sort());
    expect(left()).toEqual([]);
  };

  it('leads nowhere by its names', async () => {
    for (const name of [
      '../outside',
      'a/../../outside',
      'a\nb',
      'a\u{202e}b',
      'x'.repeat(256),
      `${'a/'.repeat(64)}b`,
    ])
      await refused(await tarOf(['fine', 'x'], [name, 'x']), 'file_path_invalid');
    await refused(forged(await zipOf(['aaa/outside', 'x']), 'aaa/', '../.'), 'file_path_invalid');
    await refused(forged(await zipOf(['aa/outside', 'x']), 'aa/', '..\\'), 'file_path_invalid');
    f.write('attack', await tarOf([`${reserved_name}/uploads/x`, 'x']));
    expect(await f.refusal('file_unpack', { path: 'attack', into: '', on_conflict: 'replace' })).toBe(
      'file_path_invalid',
    );
    expect(existsSync(join(f.data, 'outside'))).toBe(false);
  });

  it('makes no links or devices, and writes through none', async () => {
    const victim = join(f.data, 'victim');
    mkdirSync(victim);
    writeFileSync(join(victim, 'a'), 'untouched');
    const link = { type: 'symlink', linkname: victim } as const;
    f.write(
      'attack',
      await tarOf(
        ['links', '', link],
        ['links/a', 'attack'],
        ['hard', '', { type: 'link', linkname: join(victim, 'a') }],
        ['hard', 'attack'],
        ['null', '', { type: 'character-device', devmajor: 1, devminor: 3 }],
        ['pipe', '', { type: 'fifo' }],
      ),
    );
    expect(await unpack('attack')).toMatchObject({ state: 'done', result: { files: 2, skipped: 4 } });
    expect(readFileSync(join(victim, 'a'), 'utf8')).toBe('untouched');
    expect(readdirSync(f.path('out')).sort()).toEqual(['hard', 'links']);
    expect(read('out/links/a')).toBe('attack');
  });

  it('is stopped at its first entry or byte too much', async () => {
    const zeros = Buffer.alloc(30 * 1024 * 1024);
    await refused(gzipSync(zeros), 'disk_full');
    await refused(zstdCompressSync(zeros), 'disk_full');
    const limits = { ...archiveLimits, free_bytes: 1024 * 1024, ratio: 10, entries: 3 };
    const plan = () => f.files().use((access) => unpackPlan(access, { path: 'attack', into: 'out' }, limits));
    const run = () =>
      f
        .files()
        .use((access) =>
          unpackArchive(access, { path: 'attack', into: 'out', on_conflict: 'replace' }, () => {}, limits),
        );
    const many = ['a', 'b', 'c', 'd'].map((name): Entry => [name, '']);
    for (const attack of [
      gzipSync(zeros.subarray(0, 5 * 1024 * 1024)),
      await zipOf(['zeros', zeros.toString('latin1', 0, 5 * 1024 * 1024)]),
      await tarOf(...many),
      await zipOf(...many),
    ]) {
      f.write('attack', attack);
      await expect(plan()).rejects.toMatchObject({ code: 'archive_too_large' });
      await expect(run()).rejects.toMatchObject({ code: 'archive_too_large' });
    }
    expect([existsSync(f.path('out')), left()]).toEqual([false, []]);
  });

  it('of ten million names is refused by the number it says', async () => {
    const zip = await zipOf(['a', 'x']);
    // as ZIP64 would have them: the entries of this disk and in total. Source: APPNOTE
    const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    const zip64 = Buffer.alloc(56 + 20);
    zip64.write('PK\x06\x06', 0, 'latin1');
    zip64.writeBigUInt64LE(44n, 4);
    zip64.writeBigUInt64LE(10_000_000n, 24);
    zip64.writeBigUInt64LE(10_000_000n, 32);
    zip64.writeBigUInt64LE(BigInt(zip.readUInt32LE(end + 12)), 40);
    zip64.writeBigUInt64LE(BigInt(zip.readUInt32LE(end + 16)), 48);
    zip64.write('PK\x06\x07', 56, 'latin1');
    zip64.writeBigUInt64LE(BigInt(end), 64);
    zip64.writeUInt32LE(1, 72);
    const tail = Buffer.from(zip.subarray(end));
    tail.writeUInt16LE(0xffff, 8);
    tail.writeUInt16LE(0xffff, 10);
    await refused(Buffer.concat([zip.subarray(0, end), zip64, tail]), 'archive_too_large');
  });

  it('that is damaged in the middle changes nothing', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) => String(index * 7919)).join('');
    f.write('out/world/level.dat', 'mine');
    const good = gzipSync(await tarOf(...two, ['noise', noise]));
    for (const bad of [
      good.subarray(0, good.length - 5_000),
      (await zipOf(...two)).subarray(10),
      Buffer.from('text'),
    ]) {
      f.write('damaged', bad);
      expect(await unpack('damaged')).toMatchObject({
        state: 'failed',
        result: { error: 'server_archive_unreadable' },
      });
      expect(read('out/world/level.dat')).toBe('mine');
      expect(readdirSync(f.path('out'))).toEqual(['world']);
    }
    expect(left()).toEqual([]);
  });

  it('with a file where there is a folder changes nothing', async () => {
    f.write('out/world/level.dat/mine', 'mine');
    f.write('out/taken', 'mine');
    f.write('a.tar', await tarOf(['first', 'x'], ...two));
    expect(await unpack('a.tar')).toMatchObject({ result: { error: 'file_is_directory' } });
    f.write('b.tar', await tarOf(['first', 'x'], ['taken/x', 'x']));
    expect(await unpack('b.tar')).toMatchObject({ result: { error: 'file_not_directory' } });
    f.write('c.tar', await tarOf(['first', 'x'], ['first/second', 'x']));
    expect(await unpack('c.tar')).toMatchObject({ result: { error: 'server_archive_unreadable' } });
    expect(readdirSync(f.path('out')).sort()).toEqual(['taken', 'world']);
  });

  it('with a name twice is the newer of the two', async () => {
    f.write('a.tar', await tarOf(['a', 'first'], ['b', 'x'], ['a', 'second']));
    expect(await unpack('a.tar')).toMatchObject({ result: { files: 2 } });
    expect([read('out/a'), read('out/b')]).toEqual(['second', 'x']);
  });
});
