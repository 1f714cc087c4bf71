import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { openStateStore } from '#agents/state/store.ts';
import type { BackupRun } from './backup-run.ts';
import { filesOfCairn, sumOfWorld } from './world-files.ts';

/** What must be true of all backups of a server after whatever was killed. */

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** Each one that counts as done verifies, and has the files that there were when it was made. */
export async function checkStoredBackups({ plane, server_id, sql, ground, sums }: BackupRun): Promise<void> {
  const backups = await sql<{ id: string; sha256: string; state: string }[]>`
    select id, sha256, state from server_backups where server_id = ${server_id} and state <> 'failed'`;
  const folder = join(ground.agent_data, 'backups', server_id);
  expect(namesIn(folder)).toEqual(backups.flatMap(({ id }) => [`${id}.json`, `${id}.tar.zst`]).sort());
  expect(namesIn(join(ground.agent_data, 'backups/work')).filter((name) => name !== 'verify')).toEqual([]);
  expect(namesIn(join(ground.agent_data, 'backups/work/verify'))).toEqual([]);
  for (const { id, sha256 } of backups) {
    const named = { server_id, backup_id: id };
    await plane.request('backups.verify', { ...named, op_id: randomUUID() });
    await vi.waitFor(
      async () => {
        const list = (await plane.request('backups.list', { server_id })).backups;
        expect(list.find((one) => one.id === id)).toMatchObject({
          ...{ state: 'done', error: null, verified: expect.any(String) },
        });
      },
      { timeout: 120_000, interval: 100 },
    );
    const archive = join(folder, `${id}.tar.zst`);
    expect(createHash('sha256').update(readFileSync(archive)).digest('hex')).toBe(sha256);
    expect(unpackedSum(archive), `the files of ${id}`).toBe(sums.get(id));
  }
}

/** By other programs than the agent's. */
function unpackedSum(archive: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-chaos-unpacked-'));
  try {
    mkdirSync(join(folder, 'files'));
    execFileSync('tar', ['--zstd', '-xf', archive, '-C', join(folder, 'files')]);
    return sumOfWorld(join(folder, 'files'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each operation has an end, was reported once and took effect at most once. */
export async function checkOperations({ sql, server_id, viewer }: BackupRun): Promise<void> {
  const operations = await sql<{ id: string; kind: string; state: string; ended: Date | null }[]>`
    select id, kind, state, ended from server_operations where server_id = ${server_id}`;
  const over = ['done', 'failed', 'interrupted', 'expired'];
  expect(operations.filter(({ state, ended }) => ended === null || !over.includes(state))).toEqual([]);
  const reported = await sql<{ op_id: string; times: number }[]>`
    select data->>'op_id' as op_id, count(*)::int as times from agent_events
    where server_id = ${server_id} and type = 'operation.ended' group by 1`;
  expect(reported.filter(({ times }) => times !== 1)).toEqual([]);
  const creations = operations.filter(({ kind }) => kind === 'backup_create').length;
  const off = viewer.texts().filter((text) => text === 'Automatic saving is now disabled').length;
  expect(off, 'a backup that ran twice turns saving off twice').toBeLessThanOrEqual(creations);
  expect(viewer.missing(), 'lines of the console').toEqual([]);
}

/** Nothing of what was under way is left on the disk; the agent does not run any more. */
export async function expectNoLeftovers({ ground, server_id, folder }: BackupRun): Promise<void> {
  expect(filesOfCairn(folder), 'in the folder of the server').toEqual([]);
  await vi.waitFor(() => {
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    expect(
      processes.filter((line) => line.includes(`${ground.agent_data}/`) && line.includes('/tar/')),
    ).toEqual([]);
  });
  const store = openStateStore(ground.agent_data);
  try {
    expect(store.journal.find(server_id, 'restoring')).toBeNull();
    expect(store.journal.find(server_id, 'saving_off')).toBeNull();
    expect(store.operations.unfinished()).toEqual([]);
  } finally {
    store.close();
  }
}
