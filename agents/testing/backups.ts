import { randomBytes } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { BackupTargetId } from '#control/protocol/backups.ts';
import type { BackupJob } from '../backups/backup-engine.ts';
import { Backups } from '../backups/backups.ts';
import type { S3Settings } from '../backups/targets/s3-settings.ts';
import { openStateStore } from '../state/store.ts';

export const mib = 1024 * 1024;
export const made = { game_version: '1.16.5', loader: null };

/** An agent's folder with its database, and the files of a server `S1`. */
export function backupFixture(s3: S3Settings | null = null) {
  const data = mkdtempSync(join(tmpdir(), 'cairn-backups-'));
  const folder = join(data, 'servers/S1');
  mkdirSync(folder, { recursive: true });
  const store = openStateStore(data);
  const open = () => new Backups({ data, s3, log: pino({ level: 'silent' }) });
  const job = (backup_id: string, change: Partial<BackupJob> = {}): BackupJob => ({
    backup_id,
    server_id: 'S1',
    target: 'node' as BackupTargetId,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...change,
  });
  return {
    data,
    folder,
    store,
    backups: open(),
    job,
    /** Names in the folder of the node's backups of `S1`. */
    kept: (): string[] => {
      try {
        return readdirSync(join(data, 'backups/S1')).sort();
      } catch {
        return [];
      }
    },
    into: (name: string) => {
      const path = join(data, name);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true });
      return { folder: path, uid: process.getuid?.() ?? 0, limit: 10_000 * mib, inside: '/data' };
    },
    end() {
      store.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
export type BackupFixture = ReturnType<typeof backupFixture>;

/** A small world with everything that is hard to copy. */
export function fillWorld(folder: string): void {
  mkdirSync(join(folder, 'world/region'), { recursive: true });
  writeFileSync(join(folder, 'world/region/r.0.0.mca'), randomBytes(3 * mib));
  writeFileSync(join(folder, 'world/level.dat'), 'level one');
  writeFileSync(join(folder, 'server.properties'), 'motd=One\n', { mode: 0o640 });
  writeFileSync(join(folder, 'empty'), '');
  writeFileSync(Buffer.from(`${folder}/bytes \xff`, 'latin1'), 'not UTF-8');
  writeFileSync(join(folder, 'line\nbreak \\ ü'), 'odd name');
  mkdirSync(join(folder, 'n'.repeat(200)));
  writeFileSync(join(folder, 'n'.repeat(200), 'm'.repeat(200)), 'long name');
  linkSync(join(folder, 'world/level.dat'), join(folder, 'world/level.dat_old'));
  symlinkSync('world/level.dat', join(folder, 'inside'));
  symlinkSync('/data/world', join(folder, 'absolute'));
  writeFileSync(join(folder, 'holes'), 'begin');
  truncateSync(join(folder, 'holes'), 4 * 1024 * mib);
  mkdirSync(join(folder, '.cairn/trash'), { recursive: true });
  writeFileSync(join(folder, '.cairn/trash/kept'), 'deleted before');
}

/** Everything below a folder by its path, without the folder of Cairn itself; of a file with holes its size and beginning. */
export function contentOf(folder: string, path = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(Buffer.from(join(folder, path), 'latin1'), { encoding: 'latin1' })) {
    const here = path === '' ? name : `${path}/${name}`;
    if (here === '.cairn') continue;
    const full = Buffer.from(`${folder}/${here}`, 'latin1');
    const about = lstatSync(full);
    if (about.isDirectory()) Object.assign(found, { [here]: 'folder' }, contentOf(folder, here));
    else if (about.isSymbolicLink()) found[here] = `link ${readlinkSync(full)}`;
    else if (about.size > 100 * mib) found[here] = `${about.size} bytes, ${about.blocks * 512 < mib}`;
    else found[here] = readFileSync(full).toString('latin1');
  }
  return found;
}
