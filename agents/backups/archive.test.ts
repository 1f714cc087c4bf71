import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BackupFixture, backupFixture, contentOf, fillWorld, made, mib } from '../testing/backups.ts';
import { ArchiveEngine } from './archive-engine.ts';
import { startPipeline } from './pipeline.ts';
import { codecOf, pack, unpack } from './programs.ts';
import { NodeTarget } from './targets/node-target.ts';
import { verifyBackup } from './verify.ts';

let on: BackupFixture;
beforeEach(() => {
  on = backupFixture();
});
afterEach(() => on.end());

const engine = () => on.backups.engine('archive');
/** Programs whose command line has `text`. */
const running = (text: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').filter((path) => {
    try {
      return path !== `/proc/${process.pid}/cmdline` && readFileSync(path, 'latin1').includes(text);
    } catch {
      return false;
    }
  });

describe('an archive', () => {
  it.each(['zstd', 'node'] as const)('has all files as they were, compressed by %s', async (name) => {
    fillWorld(on.folder);
    const own = new ArchiveEngine({
      targetOf: () => new NodeTarget(on.backups.folder),
      codec: codecOf(name),
      work: on.backups.work,
    });
    const facts = await own.create(on.job('B1'), on.folder, made, 100 * mib);
    expect(facts).toMatchObject({ files: 9, changed: [], changed_count: 0, unchanged: false });
    expect(facts.content_bytes).toBeGreaterThan(3 * mib);
    expect(facts.content_bytes).toBeLessThan(4 * mib);
    expect(on.kept()).toEqual(['B1.json', 'B1.tar.zst']);
    expect(JSON.parse(readFileSync(join(on.data, 'backups/S1/B1.json'), 'utf8'))).toMatchObject({
      ...facts,
      ...made,
      server_id: 'S1',
    });
    const into = on.into('out');
    expect(await own.restore(on.job('B1'), into, facts.sha256)).toMatchObject({ files: 9 });
    expect(contentOf(into.folder)).toEqual(contentOf(on.folder));
    expect(existsSync(join(into.folder, '.cairn'))).toBe(false);
    expect(await verifyBackup(on.backups, own, on.job('B1'), facts.sha256)).toMatchObject({ damaged: [] });
    expect(await own.verify(on.job('B1'), null, facts.sha256)).toMatchObject({ damaged: [], files: 9 });
  });

  it('is unpacked by GNU tar as well', async () => {
    fillWorld(on.folder);
    await engine().create(on.job('B1'), on.folder, made, 100 * mib);
    const into = on.into('out');
    const archive = join(on.data, 'backups/S1/B1.tar.zst');
    execFileSync('sh', ['-c', `zstd -dcq '${archive}' | tar -C '${into.folder}' -xf -`]);
    expect(contentOf(into.folder)).toEqual(contentOf(on.folder));
  });

  it('names files that shrink or grow while they are read, and stays readable', async () => {
    writeFileSync(join(on.folder, 'a shrinks'), randomBytes(16 * mib));
    writeFileSync(join(on.folder, 'b grows'), randomBytes(16 * mib));
    writeFileSync(join(on.folder, 'c stays'), 'same');
    const { signal } = new AbortController();
    const { output, ended } = startPipeline([pack(on.folder, on.backups.work)], { signal });
    // nobody reads yet: it is in the middle of the first file
    await new Promise((go) => output.once('readable', go));
    truncateSync(join(on.folder, 'a shrinks'), 5 * mib);
    const parts: Buffer[] = [];
    let [bytes, grown] = [0, false];
    for await (const chunk of output as AsyncIterable<Buffer>) {
      parts.push(chunk);
      bytes += chunk.length;
      // it is in the middle of the second file: what waits between us is small
      if (bytes < 20 * mib || grown) continue;
      grown = true;
      appendFileSync(join(on.folder, 'b grows'), 'more');
    }
    const { message } = await ended;
    expect(message).toMatchObject({ packed: { changed: ['a shrinks', 'b grows'], changed_count: 2 } });
    const into = on.into('out');
    const unpacking = startPipeline([unpack(into, 'verify', on.backups.work)], { signal });
    unpacking.input.end(Buffer.concat(parts));
    expect((await unpacking.ended).message).toMatchObject({ unpacked: { files: 3, damaged: [] } });
    expect(readFileSync(join(into.folder, 'a shrinks')).length).toBe(16 * mib);
    expect(readFileSync(join(into.folder, 'b grows')).length).toBe(16 * mib);
  });

  it('follows no link, and a folder that is a link is none', async () => {
    const secret = join(on.data, 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'key'), 'of the node');
    symlinkSync(secret, join(on.folder, 'world'));
    symlinkSync(join(secret, 'key'), join(on.folder, 'file'));
    execFileSync('mkfifo', [join(on.folder, 'pipe')]);
    const facts = await engine().create(on.job('B1'), on.folder, made, mib);
    expect(facts.files).toBe(0);
    const into = on.into('out');
    await engine().restore(on.job('B1'), into, facts.sha256);
    // links out are not made
    expect(contentOf(into.folder)).toEqual({});
  });

  it('is not damaged because the system ended a program', async () => {
    fillWorld(on.folder);
    const { sha256 } = await engine().create(on.job('B1'), on.folder, made, 100 * mib);
    const decompress = ['sh', '-c', 'head -c 1000; kill -9 $$'];
    const ended = new ArchiveEngine({
      targetOf: () => new NodeTarget(on.backups.folder),
      codec: { ...codecOf('node'), decompress },
      work: on.backups.work,
    });
    await expect(ended.restore(on.job('B1'), on.into('out'), sha256)).rejects.toMatchObject({
      code: 'killed',
    });
    expect(await engine().restore(on.job('B1'), on.into('again'), sha256)).toMatchObject({ files: 9 });
  });

  it('that is cut or changed is damaged, and one that is gone is not found', async () => {
    fillWorld(on.folder);
    const { sha256 } = await engine().create(on.job('B1'), on.folder, made, 100 * mib);
    const path = join(on.data, 'backups/S1/B1.tar.zst');
    const whole = readFileSync(path);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1]! ^= 1;
    for (const bytes of [whole.subarray(0, -100), flipped, Buffer.alloc(0), randomBytes(5_000)]) {
      writeFileSync(path, bytes);
      await expect(engine().restore(on.job('B1'), on.into('out'), sha256)).rejects.toMatchObject({
        code: 'backup_damaged',
      });
      // without the known sum as well
      await expect(engine().restore(on.job('B1'), on.into('out'), null)).rejects.toMatchObject({
        code: 'backup_damaged',
      });
      expect(await verifyBackup(on.backups, engine(), on.job('B1'), sha256)).toMatchObject({
        damaged: ['B1'],
      });
    }
    await engine().delete(on.job('B1'));
    expect(on.kept()).toEqual([]);
    await engine().delete(on.job('B1'));
    await expect(engine().restore(on.job('B1'), on.into('out'), sha256)).rejects.toMatchObject({
      code: 'backup_not_found',
    });
  });

  it('takes no more than it may, nor more than its place has', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(5 * mib));
    await expect(engine().create(on.job('B1'), on.folder, made, 2 * mib)).rejects.toMatchObject({
      code: 'backup_target_failed',
      data: { problem: 'the backup takes more than the 2 MB that it may' },
    });
    expect(on.kept()).toEqual([]);
    const full = new ArchiveEngine({
      targetOf: () => ({
        ...new NodeTarget(on.backups.folder),
        put: async (_, __, content) => {
          for await (const _chunk of content) throw Object.assign(new Error('write'), { code: 'ENOSPC' });
        },
        get: () => (async function* () {})(),
        remove: async () => {},
      }),
      codec: codecOf('zstd'),
      work: on.backups.work,
    });
    await expect(full.create(on.job('B1'), on.folder, made, 9 * mib)).rejects.toThrow();
    await vi.waitFor(() => expect(running(on.folder)).toEqual([]));
  });

  it.each(['zstd', 'node'] as const)(
    'that finds the disk of this node full says so, with %s',
    async (name) => {
      writeFileSync(join(on.folder, 'large'), randomBytes(5 * mib));
      const target = new NodeTarget(on.backups.folder);
      // every byte that is written there fails as on a full disk
      const local = { ...target.local, part: async () => '/dev/full' };
      const full = new ArchiveEngine({
        targetOf: () => ({
          local,
          put: (...all) => target.put(...all),
          get: (...all) => target.get(...all),
          remove: (...all) => target.remove(...all),
        }),
        codec: codecOf(name),
        work: on.backups.work,
      });
      await expect(full.create(on.job('B1'), on.folder, made, 9 * mib)).rejects.toMatchObject({
        code: 'backup_target_failed',
        data: { problem: 'its disk is full' },
      });
      expect(on.kept()).toEqual([]);
      await vi.waitFor(() => expect(running(on.folder)).toEqual([]));
    },
  );

  it('is removed when it is cancelled in the middle, and its programs end', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(200 * mib));
    const abort = new AbortController();
    const onProgress = vi.fn(() => abort.abort());
    const making = engine().create(
      on.job('B1', { signal: abort.signal, onProgress }),
      on.folder,
      made,
      900 * mib,
    );
    await expect(making).rejects.toMatchObject({ code: 'cancelled' });
    expect(onProgress).toHaveBeenCalled();
    expect(on.kept()).toEqual([]);
    await vi.waitFor(() => expect(running(on.folder)).toEqual([]));
  });

  it('is not there when one of its programs is killed, nor when the agent is', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(200 * mib));
    const onProgress = () => {
      const [pid] = running('pack.ts').filter((path) => readFileSync(path, 'latin1').includes(on.folder));
      const [, , number] = pid?.split('/') ?? [];
      if (number) process.kill(Number(number), 'SIGKILL');
    };
    await expect(engine().create(on.job('B1', { onProgress }), on.folder, made, 900 * mib)).rejects.toThrow(
      /programs ended/,
    );
    expect(on.kept()).toEqual([]);

    const program = `
      import { backupFixture } from '${join(import.meta.dirname, '../testing/backups.ts')}';
      import { Backups } from '${join(import.meta.dirname, 'backups.ts')}';
      import { pino } from '${import.meta.resolve('pino')}';
      const backups = new Backups({ data: '${on.data}', s3: null, log: pino({ level: 'silent' }) });
      const job = { backup_id: 'B2', server_id: 'S1', target: 'node', signal: new AbortController().signal,
        onProgress: () => process.kill(process.pid, 'SIGKILL') };
      await backups.engine('archive').create(job, '${on.folder}', { game_version: '', loader: null }, 1e9);`;
    const agent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    const signal = await new Promise((go) => agent.once('close', (_, by) => go(by)));
    expect(signal).toBe('SIGKILL');
    await vi.waitFor(() => expect(running(on.folder)).toEqual([]), { timeout: 20_000 });
    expect(on.kept()).toEqual(['B2.tar.zst.part']);
    // as its handler does after an interruption
    await engine().delete(on.job('B2'));
    expect(on.kept()).toEqual([]);
  });

  it('of another server is not found', async () => {
    fillWorld(on.folder);
    const { sha256 } = await engine().create(on.job('B1'), on.folder, made, 100 * mib);
    const other = on.job('B1', { server_id: 'S2' });
    await expect(engine().restore(other, on.into('out'), sha256)).rejects.toMatchObject({
      code: 'backup_not_found',
    });
  });
});

describe('operations', () => {
  it('run two at a time; others wait, and may be cancelled while they wait', async () => {
    const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
    const begun: number[] = [];
    const ended = gates.map(({ promise }, index) =>
      on.backups.run({ op_id: `op${index}`, server_id: `S${index}`, heavy: true }, async () => {
        begun.push(index);
        await promise;
      }),
    );
    await vi.waitFor(() => expect(begun).toEqual([0, 1]));
    expect(on.backups.isActive('S3')).toBe(true);
    expect(on.backups.cancel('op2')).toBe(true);
    await expect(ended[2]).rejects.toMatchObject({ code: 'cancelled' });
    expect(on.backups.cancel('op2')).toBe(false);
    gates[0]!.resolve();
    await vi.waitFor(() => expect(begun).toEqual([0, 1, 3]));
    for (const { resolve } of gates) resolve();
    await Promise.all([ended[0], ended[1], ended[3]]);
    expect(on.backups.isActive('S3')).toBe(false);
  });
});
