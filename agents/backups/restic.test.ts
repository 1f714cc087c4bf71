import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackupFixture, backupFixture, contentOf, fillWorld, made, mib } from '../testing/backups.ts';
import { isInstalled } from './programs.ts';
import { verifyBackup } from './verify.ts';

let on: BackupFixture;
beforeEach(() => {
  on = backupFixture();
  fillWorld(on.folder);
});
afterEach(() => on.end());
const engine = () => on.backups.engine('restic');
const create = (id: string, max = 100 * mib) => engine().create(on.job(id), on.folder, made, max);
const repository = () => join(on.data, 'backups/S1/restic');

describe.runIf(isInstalled('restic'))('a deduplicated backup', { timeout: 120_000 }, () => {
  it('has all files as they were; a second one takes what is new, an equal one nothing', async () => {
    // restic cuts files into pieces of up to 8 MiB: some of these are without what changes
    writeFileSync(join(on.folder, 'world/region/r.0.1.mca'), randomBytes(24 * mib));
    const first = await create('B1');
    expect(first).toMatchObject({ files: 10, sha256: null, unchanged: false, changed: [] });
    expect(first.bytes).toBeGreaterThan(2 * mib);
    expect(statSync(join(on.data, 'backups/passwords/S1')).mode & 0o777).toBe(0o600);
    const before = contentOf(on.folder);
    expect(await create('B2')).toMatchObject({ unchanged: true });
    writeFileSync(join(on.folder, 'world/level.dat'), 'level two');
    const third = await create('B3');
    expect(third.unchanged).toBe(false);
    expect(third.bytes).toBeLessThan(first.bytes);
    for (const id of ['B1', 'B2']) {
      const into = on.into('out');
      expect(await engine().restore(on.job(id), into, null)).toMatchObject({ files: 10 });
      expect(contentOf(into.folder)).toEqual(before);
    }
    expect(await verifyBackup(on.backups, engine(), on.job('B3'), null)).toMatchObject({
      damaged: [],
      files: 10,
    });
    await engine().delete(on.job('B1'));
    await engine().delete(on.job('B1'));
    await expect(engine().restore(on.job('B1'), on.into('out'), null)).rejects.toMatchObject({
      code: 'backup_not_found',
    });
  });

  it('is sent as one tar.zst', async () => {
    await create('B1');
    const parts: Buffer[] = [];
    for await (const chunk of engine().read(on.job('B1'))) parts.push(chunk);
    const into = on.into('out');
    execFileSync('tar', ['-C', into.folder, '-xf', '-'], { input: zstdDecompressSync(Buffer.concat(parts)) });
    expect(contentOf(into.folder)).toEqual(contentOf(on.folder));
  });

  it('that takes more than it may, or is cancelled, leaves nothing, and the lock of a killed one no obstacle', async () => {
    await create('B1');
    writeFileSync(join(on.folder, 'large'), randomBytes(90 * mib));
    await expect(create('B2', mib)).rejects.toMatchObject({ code: 'backup_target_failed' });
    const abort = new AbortController();
    const locks = () => readdirSync(join(repository(), 'locks'));
    const onProgress = (done: number) => {
      if (done > 0) abort.abort();
    };
    const job = on.job('B3', { signal: abort.signal, onProgress });
    await expect(engine().create(job, on.folder, made, 100 * mib)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(on.kept().filter((name) => name !== 'restic')).toEqual(['B1.json']);
    // a lock that excludes everything, of a process that is gone
    const env = {
      ...process.env,
      RESTIC_REPOSITORY: repository(),
      RESTIC_PASSWORD_FILE: join(on.data, 'backups/passwords/S1'),
    };
    const list = () =>
      (
        JSON.parse(
          execFileSync('restic', ['snapshots', '--json', '--no-lock'], { env }).toString(),
        ) as unknown[]
      ).length;
    expect(list()).toBe(1);
    await create('B4', 100 * mib);
    await engine().delete(on.job('B4'));
    expect(locks()).toEqual([]);
    expect(list()).toBe(1);
  });

  it('that is damaged says so, and changes nothing', async () => {
    await create('B1');
    for (const path of globSync(join(repository(), 'data/*/*'))) {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      execFileSync('chmod', ['u+w', path]);
      writeFileSync(path, bytes);
    }
    await expect(engine().restore(on.job('B1'), on.into('out'), null)).rejects.toMatchObject({
      code: 'backup_damaged',
    });
    expect(await verifyBackup(on.backups, engine(), on.job('B1'), null)).toMatchObject({ damaged: ['B1'] });
  });
});
