import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  backupsOf,
  becomes,
  ended,
  made,
  madeBackup,
  ofKind,
  operationOf,
  stored,
} from '#control/testing/backups.ts';
import { type RentedServer, rentServer, running, testControlPlane } from '#control/testing/plane.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const folder = mkdtempSync(join(tmpdir(), 'cairn-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rent = () => rentServer(database.sql, plane.url);

const cairn = serverCommand(plane);
const backup = (renter: RentedServer, verb: string, ...words: string[]) =>
  cairn(renter, 'backup', verb, renter.id, ...words);

describe('cairn server backup', () => {
  it('creates, lists, renames, locks and deletes', async () => {
    const renter = await rent();
    const created = JSON.parse(
      (await backup(renter, 'create', '--name', 'World', '--json')).out,
    ) as BackupView;
    expect(created).toMatchObject({ name: 'World', state: 'queued' });
    await ended(renter, await ofKind(renter, 'backup_create'), 'done', madeBackup());
    await becomes(renter, created.id, { state: 'done' });
    expect((await backup(renter, 'rename', created.id, 'Before')).out).toContain('Before');
    expect((await backup(renter, 'lock', created.id)).out).toContain('yes');
    expect(await backup(renter, 'delete', created.id)).toMatchObject({
      code: 1,
      errors: 'This backup is locked. Unlock it first.',
    });
    await backup(renter, 'unlock', created.id);
    const list = JSON.parse((await backup(renter, 'list', '--json')).out);
    expect(list).toMatchObject([{ id: created.id, name: 'Before', locked: false, state: 'done' }]);
    expect(await backup(renter, 'delete', created.id)).toEqual({ code: 0, out: '', errors: '' });
    await ended(renter, await ofKind(renter, 'backup_delete'), 'done');
    await expect.poll(() => backup(renter, 'list')).toMatchObject({ out: 'none' });
  });

  it('waits, and says how far it is and why it failed', async () => {
    const renter = await rent();
    const waiting = backup(renter, 'create', '--wait', '--json');
    const first = await ofKind(renter, 'backup_create');
    const { sql } = database;
    const id = String(first.args.backup_id);
    await becomes(renter, id, { state: 'creating' });
    await sql`update server_operations set progress = ${sql.json({ done: 5, total: 10 })} where id = ${first.op_id}`;
    await becomes(renter, id, { progress: { done: 5, total: 10 } });
    await ended(renter, first, 'failed', { error: 'disk_full' });
    const failed = await waiting;
    expect(failed.code).toBe(1);
    expect(failed.errors).toContain('creating 50 %');
    expect(failed.errors).toContain(
      'Failed to create backup: The disk of this server is full. Delete something, then try again.',
    );
    const again = backup(renter, 'retry', id, '--wait');
    const second = await operationOf(
      renter,
      ({ kind, op_id }) => kind === first.kind && op_id !== first.op_id,
    );
    await ended(renter, second, 'done', madeBackup());
    expect(await again).toMatchObject({ code: 0, out: expect.stringContaining('done') });
    expect((await backup(renter, 'retry', id)).errors).toBe(
      'Failed to create backup: This backup succeeded, so there’s nothing to try again.',
    );
  });

  it('restores, and starts with the exact words when it fails', async () => {
    const renter = await rent();
    const id = await made(renter);
    await running(renter);
    expect(await backup(renter, 'restore', id)).toMatchObject({
      code: 1,
      errors: 'Failed to restore from backup: Stop the server first.',
    });
    await renter.runner.report('server.power', renter.id, {
      ...{
        power: 'stopped',
        generation: 1,
        epoch: null,
        started_at: null,
        exit_code: 0,
        out_of_memory: false,
      },
      ...{ last_lines: [], crash_loop: false, duration_s: null },
    });
    const waiting = backup(renter, 'restore', id, '--no-safety', '--wait');
    const operation = await ofKind(renter, 'backup_restore');
    expect((await backup(renter, 'cancel', id)).code).toBe(0);
    await ended(renter, operation, 'failed', { error: 'cancelled' });
    expect(await waiting).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Failed to restore from backup: It was canceled.'),
    });
    renter.runner.results.set('backup_restore', { files: 3, content_bytes: 1_000 });
    renter.runner.results.set('backup_create', madeBackup());
    expect((await backup(renter, 'restore', id, '--wait', '--json')).code).toBe(0);
    expect((await backupsOf(renter)).map(({ reason }) => reason)).toEqual(['safety', 'user']);
  });

  it('verifies: exit code 2 when a backup is damaged', async () => {
    const renter = await rent();
    const [id] = (await stored(database.sql, renter.id, 1)) as [string];
    renter.runner.results.set('backup_verify', { files: 3, content_bytes: 9, damaged: [] });
    expect((await cairn(renter, 'verify-backup', renter.id, id)).code).toBe(0);
    renter.runner.results.set('backup_verify', { files: 3, content_bytes: 9, damaged: ['level.dat'] });
    expect(await backup(renter, 'verify', id)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Failed to verify backup: This backup is damaged'),
    });
  });

  it('downloads into a new file, or says that it could not', async () => {
    const renter = await rent();
    const id = await made(renter);
    const file = join(folder, 'world.tar.zst');
    const waiting = backup(renter, 'download', id, '--output', file);
    const operation = await ofKind(renter, 'backup_send');
    await fetch(`${plane.url}${operation.args.put}`, { method: 'PUT', body: 'world' });
    expect(await waiting).toEqual({ code: 0, out: file, errors: '' });
    expect(readFileSync(file, 'utf8')).toBe('world');
    await ended(renter, operation, 'done', { bytes: 5 });
    await becomes(renter, id, { state: 'done' });
    expect((await backup(renter, 'download', id, '--output', file)).errors).toContain('exists already');
    const other = join(folder, 'other.tar.zst');
    const failing = backup(renter, 'download', id, '--output', other);
    const second = await operationOf(
      renter,
      ({ kind, op_id }) => kind === 'backup_send' && op_id !== operation.op_id,
    );
    await ended(renter, second, 'failed', { error: 'disk_full' });
    expect(await failing).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Failed to prepare download: /),
    });
    expect(existsSync(other)).toBe(false);
  });

  it('sets and prints what is kept', async () => {
    const renter = await rent();
    const changed = await backup(renter, 'retain', '--every', '6', '--daily', '7', '--json');
    expect(JSON.parse(changed.out)).toEqual({ every_hours: 6, last: 3, hourly: 0, daily: 7, weekly: 2 });
    expect((await backup(renter, 'retain', '--every', 'off')).out).toContain('off');
    const refused = await backup(renter, 'retain', '--last', '0');
    expect(refused.code).toBe(1);
  });
});
