import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import type { OperationState } from '../operations/operations.ts';
import { errorOfOperation, isCancelled, type OperationError } from '../operations/rules.ts';
import { markDeleting, removeAtTarget, sendDeletion } from './begin.ts';
import { type BackupRow, backupRow, backupRows, retentionOf } from './read.ts';
import { leaveRemains } from './remains.ts';
import { expiredBackups } from './retention.ts';
import { type BackupState, exportEnds, isAutomated } from './rules.ts';

/** An ended operation on a backup whose end is not stored with the backup yet. */
interface Ended {
  backup_id: string;
  kind: string;
  state: OperationState;
  result: object | null;
}

/** Ended operations of backups; a backup that was given up is told of a result that came after all. */
const unsettled = (db: Db, server_id: string) => db`
  from server_backups b join server_operations o on o.id = b.last_op_id
  where b.server_id = ${server_id} and o.ended is not null and o.kind <> 'backup_restore'
    and (b.op_id = o.id or (b.state in ('failed', 'cancelled') and o.kind = 'backup_create' and o.state = 'done'))`;

/** Whether anything about the backups of a server has to go on. */
async function isUnsettled(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`
    (select 1 ${unsettled(db, server_id)})
    union all (select 1 from server_backups b join server_operations o on o.id = b.op_id
      where b.server_id = ${server_id} and b.state = 'queued' and o.state = 'accepted')
    union all (select 1 from server_backups where server_id = ${server_id}
      and (state = 'restoring' or (state = 'deleting' and op_id is null)))
    limit 1`;
  return row !== undefined;
}

/**
 * Applies what has become of the operations on a server's backups, and goes on with what waits for it: deletions, rotation. Every control plane calls it for every change and a job from time to time: the row of the server is locked, and
 * each end counts once.
 */
export async function settleBackups(sql: Pool, server_id: string, now: Date): Promise<void> {
  if (!(await isUnsettled(sql, server_id))) return;
  await sql.begin((tx) => settleLocked(tx, server_id, now));
}

async function settleLocked(db: Db, server_id: string, now: Date): Promise<void> {
  const [server] = await db<{ node_id: string | null }[]>`
    select node_id from servers where id = ${server_id} for update`;
  if (!server) return;
  await settleOperations(db, { server_id, node_id: server.node_id }, now);
  // the server that was to be restored is gone
  await db`
    update server_backups b set state = rest, op_id = null, cancelling = false
    where server_id = ${server_id} and state = 'restoring'
      and not exists (select 1 from server_tasks r where r.backup_id = b.id and r.ended is null)`;
  await sendDeletion(db, server_id, server.node_id, now);
}

/** Stores the ends of operations with their backups. The row of the server is locked. */
export async function settleOperations(
  db: Db,
  server: { server_id: string; node_id: string | null },
  now: Date,
): Promise<void> {
  const { server_id } = server;
  await db`
    update server_backups b set state = 'creating' from server_operations o
    where b.server_id = ${server_id} and b.state = 'queued' and o.id = b.op_id and o.state = 'accepted'`;
  const ended = await db<
    Ended[]
  >`select b.id as backup_id, o.kind, o.state, o.result ${unsettled(db, server_id)}`;
  // what its agent was too busy for is sent again at once
  if (ended.length > 0)
    await db`
      select pg_notify('hosting', 'op:' || id) from server_operations
      where server_id = ${server_id} and state = 'waiting' and kind like 'backup\\_%'`;
  for (const one of ended) {
    const backup = await backupRow(db, server_id, one.backup_id);
    if (one.kind === 'backup_create') await created(db, server, backup, one, now);
    else if (one.kind === 'backup_delete') await deleted(db, backup, one);
    else await used(db, backup, one, now);
  }
}

/** Most characters of the names of changed files that are stored of a backup: all of them go to every panel. */
const max_changed_characters = 8_000;
const upTo = (paths: string[]): string[] => {
  let left = max_changed_characters;
  return paths.filter((path) => {
    left -= path.length;
    return left >= 0;
  });
};

/** What an agent tells of a backup that it made; `backupFacts` of its protocol. */
const facts = z.object({
  bytes: z.int().min(0),
  content_bytes: z.int().min(0),
  files: z.int().min(0),
  sha256: z.string().max(64).nullable(),
  changed: z.array(z.string()).max(100).transform(upTo),
  changed_count: z.int().min(0),
  unchanged: z.boolean(),
});

async function created(
  db: Db,
  { server_id, node_id }: { server_id: string; node_id: string | null },
  backup: BackupRow,
  operation: Ended,
  now: Date,
): Promise<void> {
  const { id, reason } = backup;
  const made = operation.state === 'done' ? facts.safeParse(operation.result) : null;
  if (made?.success && backup.state === 'cancelled') {
    // it came too late to be stopped: nobody wants it
    await db`update server_backups set last_op_id = null where id = ${id}`;
    await removeAtTarget(db, { server_id, node_id }, backup, randomUUID(), now);
    return;
  }
  if (!made?.success) {
    if (backup.op_id === null) return;
    const cancelled = operation.state !== 'done' && (backup.cancelling || isCancelled(operation.result));
    const error = cancelled ? null : errorOfOperation(operation);
    await rest(db, backup, cancelled ? 'cancelled' : 'failed', error, now);
    await leaveRemains(db, id);
    if (!error) return;
    const data = { backup_id: id, reason, error: error.code };
    await recordEvent(db, { name: 'server.backup_failed', server_id, data });
    return;
  }
  const { unchanged, changed, ...known } = made.data;
  const state = unchanged ? 'unchanged' : 'done';
  await db`update server_backups set ${db({ ...known, changed: db.json(changed), rest: state })} where id = ${id}`;
  await rest(db, backup, state, null, now);
  await recordEvent(db, { name: 'server.backup_created', server_id, data: { backup_id: id } });
  if (reason !== 'user') await rotateBackups(db, server_id, now);
}

/** The end of what was in progress on a backup. */
async function rest(
  db: Db,
  { id }: BackupRow,
  state: BackupState,
  error: OperationError | null,
  ended: Date | null,
): Promise<void> {
  await db`
    update server_backups set state = ${state}, op_id = null, cancelling = false,
      error = ${error && db.json(error as never)}, ended = coalesce(${ended}, ended)
    where id = ${id}`;
}

async function deleted(db: Db, backup: BackupRow, { state, result }: Ended): Promise<void> {
  const error = errorOfOperation({ state, result });
  if (state !== 'done' && error.code !== 'backup_not_found') {
    await rest(db, backup, backup.rest!, error, null);
    return;
  }
  await db`delete from server_backups where id = ${backup.id}`;
  const { server_id, id: backup_id } = backup;
  await recordEvent(db, { name: 'server.backup_deleted', server_id, data: { backup_id } });
}

/** The end of a verification or a download. */
async function used(db: Db, backup: BackupRow, { kind, state, result }: Ended, now: Date): Promise<void> {
  const { id, server_id, cancelling } = backup;
  const verifies = kind === 'backup_verify';
  const found = (result as { damaged?: unknown } | null)?.damaged;
  const error: OperationError | null =
    state === 'done'
      ? verifies && !(Array.isArray(found) && found.length === 0)
        ? { code: 'backup_damaged', retryable: false }
        : null
      : cancelling || isCancelled(result)
        ? null
        : errorOfOperation({ state, result });
  const damaged = error?.code === 'backup_damaged';
  // a damaged one that is whole again, because its target works again
  const whole = verifies && state === 'done' && backup.rest === 'damaged' ? 'done' : backup.rest!;
  const next = damaged ? 'damaged' : whole;
  const verified = verifies && (state === 'done' || damaged);
  await db`
    update server_backups set rest = ${next}, verified = ${verified && !damaged ? now : db`verified`}
    where id = ${id}`;
  await rest(db, backup, next, error, null);
  if (verified)
    await recordEvent(db, {
      name: 'server.backup_verified',
      server_id,
      data: { backup_id: id, damaged },
    });
}

/** Marks automated backups as to be deleted that the rules of their server do not keep, and exports after their time. */
export async function rotateBackups(db: Db, server_id: string, now: Date): Promise<void> {
  const backups = (await backupRows(db, server_id)).map((one) => ({
    ...one,
    automated: isAutomated(one.reason),
  }));
  const old = backups.filter(
    ({ reason, created, locked }) => reason === 'export' && !locked && exportEnds(created) <= now,
  );
  const expired = expiredBackups(backups, await retentionOf(db, server_id));
  await markDeleting(db, server_id, [...expired, ...old.map(({ id }) => id)]);
}
