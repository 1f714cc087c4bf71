import { randomUUID } from 'node:crypto';
import { type RefusalCode, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { createOperation, operationById } from '../operations/operations.ts';
import { errorOfOperation, isCancelled, type OperationError } from '../operations/rules.ts';
import { type ServerRecord, serversById } from '../read.ts';
import { addBackup, type BackupSettings, begin_timeout_ms } from './begin.ts';
import { type BackupRow, backupRow } from './read.ts';

/** A restore as it is stored: `server_id` is the server whose files are replaced, `source_id` that of the backup. */
export interface Restore {
  op_id: string;
  backup_id: string;
  server_id: string;
  source_id: string;
  actor_id: string | null;
  step: 'stopping' | 'safety' | 'restoring';
  safety: boolean;
  safety_backup_id: string | null;
  starts: boolean;
  stops_until: string;
}

/** Open restores of backups of these servers, or to them. */
export const openRestores = (db: Db, server_ids: readonly string[]): Promise<Restore[]> => db<Restore[]>`
  select r.op_id, r.backup_id, r.server_id, b.server_id as source_id, r.actor_id, r.step, r.safety, r.safety_backup_id,
    r.starts, r.stops_until
  from server_restores r join server_backups b on b.id = r.backup_id
  where r.ended is null and (r.server_id = any(${[...server_ids]}) or b.server_id = any(${[...server_ids]}))`;

interface Parts {
  restore: Restore;
  backup: BackupRow;
  server: ServerRecord | null;
}

/**
 * Takes a restore as far as it can go now: the server stops, a safety backup is made, the files are replaced, the server
 * starts again if it ran. Each step is stored before it begins, so any control plane goes on after a crash. The caller has
 * locked the rows of both servers. Source: hosting §5.6.
 */
export async function advanceRestore(
  db: Db,
  restore: Restore,
  settings: BackupSettings,
  now: Date,
): Promise<void> {
  const backup = await backupRow(db, restore.source_id, restore.backup_id);
  const [server = null] = await serversById(db, [restore.server_id], now);
  const parts = { restore, backup, server };
  try {
    if (restore.step === 'stopping') await onStopping(db, parts, settings, now);
    else if (restore.step === 'safety') await onSafety(db, parts, now);
    else await onRestoring(db, parts, now);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await failRestore(db, parts, failure(error.code), now);
  }
}

const failure = (code: RefusalCode): OperationError => ({ code, retryable: true });

/** Its last observed state, also while its node is away: what does not run cannot start before the agent is told to. */
async function isStopped(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`select 1 from servers where id = ${server_id} and power in ('stopped', 'crashed')`;
  return row !== undefined;
}

async function onStopping(db: Db, parts: Parts, settings: BackupSettings, now: Date): Promise<void> {
  const { restore, backup, server } = parts;
  if (backup.cancelling) return await endRestore(db, parts, 'cancelled', null, now);
  if (!server || server.facts.lifecycle === 'suspended')
    return await failRestore(db, parts, failure('server_suspended'), now);
  if (!(await isStopped(db, restore.server_id))) {
    if (now > new Date(restore.stops_until))
      await failRestore(db, parts, failure('server_still_running'), now);
    return;
  }
  if (!restore.safety) return await sendRestore(db, parts, now);
  const made = {
    op_id: randomUUID(),
    reason: 'safety',
    actor_id: restore.actor_id,
    before: 'restore',
  } as const;
  const beside = { beside: true, spared: restore.backup_id };
  const safety_backup_id = await addBackup(db, server, made, settings, now, beside);
  await db`
    update server_restores set step = 'safety', safety_backup_id = ${safety_backup_id} where op_id = ${restore.op_id}`;
}

async function onSafety(db: Db, parts: Parts, now: Date): Promise<void> {
  const { restore, backup } = parts;
  const safety =
    restore.safety_backup_id && (await backupRow(db, restore.server_id, restore.safety_backup_id));
  if (!safety) return await failRestore(db, parts, failure('backup_not_found'), now);
  if (safety.state === 'queued' || safety.state === 'creating') return;
  if (backup.cancelling || safety.state === 'cancelled') await endRestore(db, parts, 'cancelled', null, now);
  else if (safety.state === 'failed')
    await failRestore(db, parts, safety.error ?? failure('operation_failed'), now);
  else await sendRestore(db, parts, now);
}

async function sendRestore(db: Db, { restore, backup, server }: Parts, now: Date): Promise<void> {
  if (!server) throw new Refused('server_not_found');
  const { op_id, server_id, source_id, actor_id } = restore;
  const { id, engine, target, sha256 } = backup;
  const from = source_id === server_id ? {} : { source_id };
  await db`update server_restores set step = 'restoring' where op_id = ${op_id}`;
  await db`update server_backups set op_id = ${op_id}, last_op_id = ${op_id} where id = ${id}`;
  const isNew = await createOperation(
    db,
    {
      ...{ id: op_id, server_id, node_id: server.node_id, actor_id, kind: 'backup_restore' },
      args: { backup_id: id, engine, target, sha256, ...from },
      not_after: new Date(now.getTime() + begin_timeout_ms),
    },
    now,
  );
  if (!isNew) throw new Refused('operation_mismatch');
}

async function onRestoring(db: Db, parts: Parts, now: Date): Promise<void> {
  const operation = await operationById(db, parts.restore.op_id);
  if (operation && ['waiting', 'accepted'].includes(operation.state)) return;
  if (operation?.state === 'done') await endRestore(db, parts, 'done', null, now);
  else if (operation && (parts.backup.cancelling || isCancelled(operation.result)))
    await endRestore(db, parts, 'cancelled', null, now);
  else
    await failRestore(db, parts, operation ? errorOfOperation(operation) : failure('operation_failed'), now);
}

const failRestore = (db: Db, parts: Parts, error: OperationError, now: Date) =>
  endRestore(db, parts, 'failed', error, now);

/** Ends a restore, whatever came of it: a server that ran is started again, with its new or its old files. */
async function endRestore(
  db: Db,
  { restore, backup, server }: Parts,
  step: 'done' | 'failed' | 'cancelled',
  error: OperationError | null,
  now: Date,
): Promise<void> {
  const { op_id, server_id, actor_id, starts } = restore;
  await db`update server_restores set step = ${step}, ended = ${now} where op_id = ${op_id}`;
  const state = error?.code === 'backup_damaged' ? 'damaged' : backup.rest!;
  await db`
    update server_backups set state = ${state}, rest = ${state}, error = ${error && db.json(error as never)},
      op_id = null, cancelling = false
    where id = ${backup.id} and state = 'restoring'`;
  if (starts)
    await db`
      update servers set power_wanted = 'on', generation = generation + 1
      where id = ${server_id} and power_wanted = 'off' and lifecycle in ('ready', 'upgrading')`;
  const by = { actor_id, server_id };
  const data = { backup_id: backup.id };
  if (!server) return;
  if (step === 'done') await recordEvent(db, { name: 'server.backup_restored', ...by, data });
  else
    await recordEvent(db, {
      name: 'server.backup_restore_failed',
      ...by,
      data: { ...data, error: error?.code ?? 'cancelled' },
    });
}
