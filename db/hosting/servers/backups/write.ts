import { randomUUID } from 'node:crypto';
import { assertAllowed, Refused } from '../../../platform/errors.ts';
import type { NewEvent } from '../../../platform/events/catalogue.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { createOperation, operationById } from '../operations/operations.ts';
import type { ServerRecord } from '../read.ts';
import { whyNotDownload, whyNotHave, whyNotOperate } from '../rules.ts';
import {
  addBackup,
  type BackupSettings,
  begin_timeout_ms,
  createCreation,
  markDeleting,
  portable,
  removeAtTarget,
  sendDeletion,
} from './begin.ts';
import { type BackupRow, backupRow, backupRows, backupViewOf, isBackupInProgress } from './read.ts';
import {
  canBackupMove,
  countedStates,
  max_backups,
  normalizedBackupName,
  whyNotBackupName,
  whyNotBeginBackup,
  whyNotDeleteBackup,
  whyNotRetryBackup,
  whyNotVerifyBackup,
} from './rules.ts';
import type { BackupView } from './view.ts';

/** What a user does to backups, each in the caller's transaction. All refuse as `whyNotHave.backups` says. */

/** A backup of a server that the caller may change; the row of the server is locked. */
interface Target {
  server_id: string;
  backup_id: string;
}

/** Locks the server and loads one of its backups. Refuses `backup_not_found`. */
export async function lockBackup(
  db: Db,
  actor: Actor,
  { server_id, backup_id }: Target,
  now: Date,
): Promise<{ server: ServerRecord; backup: BackupRow }> {
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotHave.backups);
  return { server, backup: await backupRow(db, server_id, backup_id) };
}

const viewed = async (db: Db, { server_id, backup_id }: Target): Promise<BackupView> =>
  backupViewOf(await backupRow(db, server_id, backup_id));

/**
 * The backup of an operation that was requested before with this id, or null. Refuses `operation_mismatch` when the id
 * belongs to another server or another kind.
 */
async function repeated(db: Db, op_id: string, server_id: string, kind: string): Promise<string | null> {
  const before = await operationById(db, op_id);
  if (!before) return null;
  if (before.server_id !== server_id || before.kind !== kind) throw new Refused('operation_mismatch');
  return String(before.args.backup_id);
}

/** Refuses a name that is too long, odd (`backup_name_length`) or used by another backup (`backup_name_taken`). */
async function checkedName(db: Db, server_id: string, text: string, own: string | null): Promise<string> {
  assertAllowed(whyNotBackupName(text));
  const name = normalizedBackupName(text);
  const [taken] = await db`
    select 1 from server_backups where server_id = ${server_id} and lower(name) = lower(${name}) and id <> ${own ?? ''}`;
  assertAllowed(taken ? 'backup_name_taken' : null);
  return name;
}

/**
 * Begins a backup. The same `op_id` twice makes one. `storeHead`: an export, with what stands before its archive; it takes the place of the one before and
 * can also be made in the grace period. Refuses as `whyNotOperate` (an export as `whyNotExport`), `backup_in_progress`,
 * `backups_too_many`, `backup_name_length`, `backup_name_taken` and `operation_mismatch`.
 */
export async function createBackup(
  db: Db,
  actor: Actor,
  { server_id, op_id, name, storeHead }: BackupRequest,
  settings: BackupSettings,
  now: Date,
): Promise<BackupView> {
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotHave.backups);
  const before = await repeated(db, op_id, server_id, 'backup_create');
  if (before) return await viewed(db, { server_id, backup_id: before });
  assertAllowed(storeHead ? whyNotExport(server) : whyNotOperate(server.facts));
  const checked = name === undefined ? undefined : await checkedName(db, server_id, name, null);
  if (storeHead) await dropExports(db, server_id);
  const reason = storeHead ? 'export' : 'user';
  const wanted = { op_id, reason, actor_id: actor.user_id, name: checked } as const;
  const backup_id = await addBackup(db, server, wanted, storeHead ? portable : settings, now);
  await storeHead?.(db, server, backup_id, now);
  return await viewed(db, { server_id, backup_id });
}

interface BackupRequest {
  server_id: string;
  op_id: string;
  name?: string | undefined;
  storeHead?: ((db: Db, server: ServerRecord, backup_id: string, now: Date) => Promise<void>) | undefined;
}

/** Why a server cannot be exported now, or null: in the grace period it can be taken away. */
const whyNotExport = ({ facts, view, node_id }: ServerRecord) =>
  facts.lifecycle === 'suspended'
    ? whyNotDownload({ ...facts, reason: view.lifecycle_data.reason, placed: node_id !== null })
    : whyNotOperate(facts);

/** The export before is not kept beside a new one, unless somebody locked it. */
async function dropExports(db: Db, server_id: string): Promise<void> {
  const before = (await backupRows(db, server_id)).filter(
    ({ reason, locked }) => reason === 'export' && !locked,
  );
  await markDeleting(
    db,
    server_id,
    before.map(({ id }) => id),
  );
}

/** Makes a failed or cancelled backup again. Refuses as `createBackup`, and `backup_exists`. */
export async function retryBackup(
  db: Db,
  actor: Actor,
  { op_id, ...target }: Target & { op_id: string },
  now: Date,
): Promise<BackupView> {
  const { server, backup } = await lockBackup(db, actor, target, now);
  const { server_id } = target;
  if (await repeated(db, op_id, server_id, 'backup_create')) return backupViewOf(backup);
  assertAllowed(whyNotOperate(server.facts));
  assertAllowed(whyNotRetryBackup(backup));
  const [{ count } = { count: 0 }] = await db<{ count: number }[]>`
    select count(*)::int as count from server_backups
    where server_id = ${server_id} and state = any(${[...countedStates]})`;
  const in_progress = await isBackupInProgress(db, server_id);
  assertAllowed(whyNotBeginBackup({ in_progress, count }), { most: max_backups });
  const { game_version, loader } = server.view;
  await db`
    update server_backups set state = 'queued', error = null, ended = null, created = ${now}, op_id = ${op_id},
      last_op_id = ${op_id}, cancelling = false, game_version = ${game_version}, loader = ${loader}
    where id = ${backup.id}`;
  const by = { op_id, actor_id: actor.user_id, timeout_ms: begin_timeout_ms };
  await createCreation(db, server, backup, by, now);
  return await viewed(db, target);
}

/** Locks the server and loads one of its backups. Refuses `backup_not_ready` while it is being deleted. */
async function lockKeptBackup(db: Db, actor: Actor, target: Target, now: Date): Promise<BackupRow> {
  const { backup } = await lockBackup(db, actor, target, now);
  assertAllowed(backup.state === 'deleting' ? 'backup_not_ready' : null);
  return backup;
}

/** Stores a change of a backup with its event. */
async function changeBackup(
  db: Db,
  actor: Actor,
  target: Target,
  set: Partial<Pick<BackupRow, 'name' | 'locked'>>,
  event: Pick<NewEvent, 'name' | 'data'>,
): Promise<BackupView> {
  const { server_id, backup_id } = target;
  await db`update server_backups set ${db({ ...set })} where id = ${backup_id}`;
  await recordEvent(db, { ...event, actor_id: actor.user_id, server_id } as NewEvent);
  return await viewed(db, target);
}

/** Renames a backup. Refuses `backup_name_length`, `backup_name_taken`, `backup_not_ready` while it is being deleted. */
export async function renameBackup(
  db: Db,
  actor: Actor,
  { name, ...target }: Target & { name: string },
  now: Date,
): Promise<BackupView> {
  const backup = await lockKeptBackup(db, actor, target, now);
  const to = await checkedName(db, target.server_id, name, backup.id);
  if (to === backup.name) return backupViewOf(backup);
  const data = { backup_id: backup.id, from: backup.name, to };
  return await changeBackup(db, actor, target, { name: to }, { name: 'server.backup_renamed', data });
}

/** Locks a backup, so that nobody and nothing deletes it, or unlocks it. Refuses `backup_not_ready`. */
export async function setBackupLock(
  db: Db,
  actor: Actor,
  { locked, ...target }: Target & { locked: boolean },
  now: Date,
): Promise<BackupView> {
  const backup = await lockKeptBackup(db, actor, target, now);
  if (backup.locked === locked) return backupViewOf(backup);
  const name = locked ? 'server.backup_locked' : 'server.backup_unlocked';
  return await changeBackup(db, actor, target, { locked }, { name, data: { backup_id: backup.id } });
}

/**
 * Deletes backups, all or none of them. Failed and cancelled ones are gone at once, others when the agent has removed
 * them. Refuses `backup_not_found`, `backup_locked` and `backup_in_progress`.
 */
export async function deleteBackups(
  db: Db,
  actor: Actor,
  { server_id, backup_ids }: { server_id: string; backup_ids: readonly string[] },
  now: Date,
): Promise<void> {
  const { node_id } = await lockChangeableServer(db, actor, server_id, now, whyNotHave.backups);
  const backups = await Promise.all([...new Set(backup_ids)].map((id) => backupRow(db, server_id, id)));
  for (const backup of backups) assertAllowed(whyNotDeleteBackup(backup));
  for (const backup of backups) {
    if (!canBackupMove(backup.state, 'queued')) continue;
    const uncertain = backup.last_op_id ? await operationById(db, backup.last_op_id) : null;
    await db`delete from server_backups where id = ${backup.id}`;
    // its agent may have made it after all
    if (uncertain && ['expired', 'interrupted'].includes(uncertain.state))
      await removeAtTarget(db, { server_id, node_id }, backup, randomUUID(), now);
  }
  const made = backups.filter(({ state }) => canBackupMove(state, 'deleting'));
  await markDeleting(
    db,
    server_id,
    made.map(({ id }) => id),
  );
  await sendDeletion(db, server_id, node_id, now);
}

/** Lets the agent verify a backup. Refuses as `whyNotOperate` and `whyNotVerifyBackup`, and `backup_in_progress`. */
export async function verifyBackup(
  db: Db,
  actor: Actor,
  { op_id, ...target }: Target & { op_id: string },
  now: Date,
): Promise<BackupView> {
  const { server, backup } = await lockBackup(db, actor, target, now);
  const { server_id } = target;
  if (await repeated(db, op_id, server_id, 'backup_verify')) return backupViewOf(backup);
  assertAllowed(whyNotOperate(server.facts));
  assertAllowed(whyNotVerifyBackup(backup));
  const in_progress = await isBackupInProgress(db, server_id);
  assertAllowed(whyNotBeginBackup({ in_progress, count: 0 }));
  const { id, engine, target: at, sha256, state } = backup;
  await db`
    update server_backups set state = 'verifying', rest = ${state}, error = null, op_id = ${op_id},
      last_op_id = ${op_id}, cancelling = false
    where id = ${id}`;
  await createOperation(
    db,
    {
      ...{ id: op_id, server_id, node_id: server.node_id, actor_id: actor.user_id, kind: 'backup_verify' },
      args: { backup_id: id, engine, target: at, sha256 },
      not_after: new Date(now.getTime() + begin_timeout_ms),
    },
    now,
  );
  return await viewed(db, target);
}
