import { randomUUID } from 'node:crypto';
import { type RefusalCode, Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { addBackup, type BackupSettings, begin_timeout_ms } from '../backups/begin.ts';
import { backupRow } from '../backups/read.ts';
import { type ChangeRow, changeById } from '../content/open-change.ts';
import { createOperation, operationById } from '../operations/operations.ts';
import { errorOfOperation, isCancelled, type OperationError } from '../operations/rules.ts';
import { type ServerRecord, serversById } from '../read.ts';
import { applied, cancelled, failed, startedAgain } from './ends.ts';
import { createGrant } from './grants.ts';

/** How long a server that is to be changed may take to stop. */
export const stop_timeout_ms = 10 * 60_000;
/** How long an agent may take to fetch and place all files. */
const grant_ms = 2 * 3_600_000;
/** Bringing files back waits for an agent that is away: nobody else would do it. */
const revert_timeout_ms = 24 * 3_600_000;

/** A change, and its server as it is now; null when that was deleted. */
interface Parts {
  change: ChangeRow;
  server: ServerRecord | null;
}

/**
 * Takes a change as far as it can go now: the server stops, a backup is made, all files go into the trash, files change, the
 * server starts again if it ran. Each step is stored before it begins, so any control plane goes on after a crash. The caller
 * has locked the row of the server. Source: hosting §5.6.
 */
export async function advanceChange(
  db: Db,
  change: ChangeRow,
  settings: BackupSettings,
  now: Date,
): Promise<void> {
  const [server = null] = await serversById(db, [change.server_id], now);
  const parts = { change, server };
  try {
    if (change.step === 'stopping') await onStopping(db, parts, settings, now);
    else if (change.step === 'safety') await onSafety(db, parts, now);
    else if (change.revert_op_id !== null) await onReverting(db, parts, now);
    else if (change.step === 'erasing') await onErasing(db, parts, now);
    else if (change.step === 'applying') await onApplying(db, parts, now);
    else await startedAgain(db, change, now);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await failed(db, change, failure(error.code), now);
  }
}

const failure = (code: RefusalCode): OperationError => ({ code, retryable: true });

/** Its last observed state, also while its node is away: what does not run cannot start before the agent is told to. */
async function isStopped(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`select 1 from servers where id = ${server_id} and power in ('stopped', 'crashed')`;
  return row !== undefined;
}

async function onStopping(db: Db, parts: Parts, settings: BackupSettings, now: Date): Promise<void> {
  const { change, server } = parts;
  const { id, server_id, wanted } = change;
  if (change.cancelling) return await cancelled(db, change, now);
  if (!server || server.facts.lifecycle === 'suspended')
    return await failed(db, change, failure('server_suspended'), now);
  if (wanted.stops && !(await isStopped(db, server_id))) {
    if (now > new Date(change.step_until)) await failed(db, change, failure('server_still_running'), now);
    return;
  }
  if (!wanted.backup) return await erase(db, parts, now);
  const made = {
    op_id: randomUUID(),
    reason: 'safety',
    actor_id: change.actor_id,
    before: change.kind,
  } as const;
  const safety_backup_id = await addBackup(db, server, made, settings, now, { beside: true });
  await db`update server_changes set step = 'safety', safety_backup_id = ${safety_backup_id} where id = ${id}`;
}

async function onSafety(db: Db, parts: Parts, now: Date): Promise<void> {
  const { change } = parts;
  const { server_id, safety_backup_id } = change;
  const safety = safety_backup_id && (await backupRow(db, server_id, safety_backup_id));
  if (!safety) return await failed(db, change, failure('backup_not_found'), now);
  if (safety.state === 'queued' || safety.state === 'creating') return;
  if (change.cancelling || safety.state === 'cancelled') await cancelled(db, change, now);
  else if (safety.state === 'failed')
    await failed(db, change, safety.error ?? failure('operation_failed'), now);
  else await erase(db, parts, now);
}

/** Sends an operation to the agent of the server. */
async function send(
  db: Db,
  { change, server }: Parts,
  { id, kind, args }: { id: string; kind: string; args: object },
  now: Date,
  timeout_ms = begin_timeout_ms,
): Promise<void> {
  if (!server) throw new Refused('server_not_found');
  const { server_id, actor_id } = change;
  const isNew = await createOperation(
    db,
    {
      ...{ id, server_id, node_id: server.node_id, actor_id, kind, args: { ...args } },
      not_after: new Date(now.getTime() + timeout_ms),
    },
    now,
  );
  if (!isNew) throw new Refused('operation_mismatch');
}

async function erase(db: Db, parts: Parts, now: Date): Promise<void> {
  const { change } = parts;
  if (!change.wanted.erase) return await apply(db, parts, now);
  const erase_op_id = randomUUID();
  await db`update server_changes set step = 'erasing', erase_op_id = ${erase_op_id} where id = ${change.id}`;
  await send(db, parts, { id: erase_op_id, kind: 'file_erase', args: { erase_id: erase_op_id } }, now);
}

/** An operation that has ended; null while it goes on. */
async function endOf(db: Db, id: string): Promise<{ isDone: boolean; error: OperationError } | null> {
  const operation = await operationById(db, id);
  if (!operation) return { isDone: false, error: failure('operation_failed') };
  if (operation.state === 'waiting' || operation.state === 'accepted') return null;
  const error = isCancelled(operation.result) ? failure('operation_failed') : errorOfOperation(operation);
  return { isDone: operation.state === 'done', error };
}

async function onErasing(db: Db, parts: Parts, now: Date): Promise<void> {
  const { change } = parts;
  const end = await endOf(db, change.erase_op_id!);
  if (!end) return;
  if (end.isDone) await apply(db, parts, now);
  else await revert(db, parts, end.error, now);
}

/** The operation that changes the files; null when none have to. */
async function operationFor(
  db: Db,
  { id, server_id, wanted, undoes }: ChangeRow,
  now: Date,
): Promise<{ id: string; kind: string; args: object } | null> {
  const { content, files } = wanted;
  const undone = undoes === null ? null : await changeById(db, undoes);
  if (undone?.erase_op_id) {
    const erased = await operationById(db, undone.erase_op_id);
    const items = Number((erased?.result as { items?: unknown } | null)?.items ?? 0);
    return { id, kind: 'file_unerase', args: { erase_id: undone.erase_op_id, items } };
  }
  if (!content) return null;
  if (undoes) return { id, kind: 'content_undo', args: { folders: content.folders, change_id: undoes } };
  const expires = new Date(now.getTime() + grant_ms);
  const fetches = Object.keys(files).length > 0;
  const get = fetches ? await createGrant(db, { server_id, change_id: id, files, expires }) : null;
  return { id, kind: 'content_apply', args: { ...content, get } };
}

async function apply(db: Db, parts: Parts, now: Date): Promise<void> {
  const { change } = parts;
  await db`update server_changes set step = 'applying' where id = ${change.id}`;
  const operation = await operationFor(db, change, now);
  if (operation) await send(db, parts, operation, now);
  else await applied(db, change, now);
}

async function onApplying(db: Db, parts: Parts, now: Date): Promise<void> {
  const { change } = parts;
  const end = await endOf(db, change.id);
  if (!end) return;
  if (end.isDone) await applied(db, change, now);
  else if (change.erase_op_id !== null) await revert(db, parts, end.error, now);
  else if (change.cancelling || end.error.code === 'change_canceled') await cancelled(db, change, now);
  else await failed(db, change, end.error, now);
}

/** Brings all files back that were erased; then the change has failed with `error`. */
async function revert(db: Db, parts: Parts, error: OperationError, now: Date): Promise<void> {
  const { id, erase_op_id } = parts.change;
  const revert_op_id = randomUUID();
  await db`
    update server_changes set revert_op_id = ${revert_op_id}, error = ${db.json(error as never)} where id = ${id}`;
  const operation = { id: revert_op_id, kind: 'file_unerase', args: { erase_id: erase_op_id, items: null } };
  await send(db, parts, operation, now, revert_timeout_ms);
}

async function onReverting(db: Db, { change }: Parts, now: Date): Promise<void> {
  if (!(await endOf(db, change.revert_op_id!))) return;
  await failed(db, change, change.error ?? failure('operation_failed'), now);
}
