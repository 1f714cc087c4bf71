import { randomUUID } from 'node:crypto';
import { assertAllowed } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Settings } from '../../../platform/runtime/env.ts';
import { createOperation } from '../operations/operations.ts';
import type { ServerRecord } from '../read.ts';
import { isChanging } from '../tasks/rows.ts';
import { type BackupRow, backupRows, isBackupInProgress, retentionOf } from './read.ts';
import { roomForBackup } from './retention.ts';
import {
  type BackupState,
  type BackupTarget,
  countedStates,
  defaultBackupName,
  defaultBackupTarget,
  isAutomated,
  max_backups,
  whyNotBeginBackup,
} from './rules.ts';
import { maxBackupBytes } from './stored-names.ts';

/** The settings that decide how new backups are made and where they are kept. */
export type BackupSettings = Pick<Settings, 'BACKUP_ENGINE' | 'BACKUP_TARGET'>;

/** How one is made that any agent can restore and no agent is needed for, whatever is configured. */
export const portable: BackupSettings = { BACKUP_ENGINE: 'archive', BACKUP_TARGET: 'platform' };

/** Failed and cancelled backups of a server that stay in its list. */
const max_unmade = 15;
/** A backup that an agent could not begin within this time fails. Source: hosting §5.3. */
export const begin_timeout_ms = 10 * 60_000;
/** For work that nobody waits for: deletions, scheduled backups. */
const patient_timeout_ms = 24 * 3_600_000;

const isCounted = ({ state }: { state: BackupState }): boolean =>
  (countedStates as readonly string[]).includes(state);

export interface NewBackup {
  op_id: string;
  reason: BackupRow['reason'];
  actor_id: string | null;
  /** Without one it gets "Backup #n" or "Export #n". */
  name?: string | undefined;
  /** The risky change that it is made before, for the log. */
  before?: string;
  /** How long it may wait for its agent. */
  timeout_ms?: number;
}

/**
 * Adds a backup with its operation. The caller has locked the row of the server, so two of these never count the same
 * ones. An automated one first makes room. Refuses `backup_in_progress` and `server_busy` (unless `beside`: it belongs to a
 * restore or a change) and
 * `backups_too_many`; a name that is taken violates `backup_name_taken`.
 */
export async function addBackup(
  db: Db,
  { view, node_id }: ServerRecord,
  { op_id, reason, actor_id, name, before, timeout_ms = begin_timeout_ms }: NewBackup,
  settings: BackupSettings,
  now: Date,
  { beside = false, spared = null as string | null } = {},
): Promise<string> {
  const changing = !beside && (await isChanging(db, view.id));
  assertAllowed(changing ? 'server_busy' : null, { by: 'content_change' });
  const in_progress = !beside && (await isBackupInProgress(db, view.id));
  assertAllowed(whyNotBeginBackup({ in_progress, count: 0 }));
  if (isAutomated(reason)) await makeRoom(db, view.id, now, spared);
  const backups = await backupRows(db, view.id);
  const count = backups.filter(isCounted).length;
  assertAllowed(whyNotBeginBackup({ in_progress, count }), { most: max_backups });
  await forgetUnmade(db, view.id);
  const id = newId();
  const engine = settings.BACKUP_ENGINE;
  const { target, store } = await placeOfNew(db, node_id, settings);
  const row = {
    ...{ id, server_id: view.id, reason, actor_id, created: now, engine, target, store },
    name: name ?? nameOfNew(backups, reason),
    ...{ game_version: view.game_version, loader: view.loader, op_id, last_op_id: op_id },
  };
  await db`insert into server_backups ${db(row)}`;
  await createCreation(db, { view, node_id }, { id, engine, target }, { op_id, actor_id, timeout_ms }, now);
  const data = { backup_id: id, reason, before: before ?? null };
  await recordEvent(db, { name: 'server.backup_requested', actor_id, server_id: view.id, data });
  return id;
}

const nameOfNew = (backups: readonly BackupRow[], reason: BackupRow['reason']): string =>
  defaultBackupName(
    backups.map(({ name }) => name),
    reason === 'export' ? 'Export' : 'Backup',
  );

/** Where a backup that begins now is kept: as configured, otherwise by what there is now. */
async function placeOfNew(
  db: Db,
  node_id: string | null,
  { BACKUP_ENGINE: engine, BACKUP_TARGET: wanted }: BackupSettings,
): Promise<{ target: BackupTarget; store: string | null }> {
  const [found] = await db<{ nodes: number; agent_targets: string[] | null; store: string | null }[]>`
    select (select count(*)::int from nodes where status <> 'new') as nodes,
      facts->'backup_targets' as agent_targets, facts->>'backup_store' as store
    from nodes where id = ${node_id}`;
  const { nodes = 1, agent_targets, store = null } = found ?? {};
  const target =
    wanted === 'auto' ? defaultBackupTarget({ nodes, engine, agent_targets: agent_targets ?? [] }) : wanted;
  return { target, store: target === 's3' ? store : null };
}

/** The operation that makes a backup. */
export async function createCreation(
  db: Db,
  { view, node_id }: Pick<ServerRecord, 'view' | 'node_id'>,
  { id, engine, target }: Pick<BackupRow, 'id' | 'engine' | 'target'>,
  { op_id, actor_id, timeout_ms }: { op_id: string; actor_id: string | null; timeout_ms: number },
  now: Date,
): Promise<void> {
  await createOperation(
    db,
    {
      ...{ id: op_id, server_id: view.id, node_id, actor_id, kind: 'backup_create' },
      args: { backup_id: id, engine, target, max_bytes: maxBackupBytes(view.disk_mb) },
      not_after: new Date(now.getTime() + timeout_ms),
    },
    now,
  );
}

/**
 * Deletes automated backups so that one more fits; never locked ones, manual ones or `spared`. Refuses
 * `backups_too_many` when that is not enough.
 */
export async function makeRoom(db: Db, server_id: string, now: Date, spared: string | null): Promise<void> {
  const backups = (await backupRows(db, server_id)).map((one) => ({
    ...one,
    automated: isAutomated(one.reason),
  }));
  const rules = await retentionOf(db, server_id);
  const dropped = roomForBackup(backups, rules, { created: now.toISOString(), spared });
  assertAllowed(dropped === null ? 'backups_too_many' : null, { most: max_backups });
  if (dropped) await markDeleting(db, server_id, dropped);
}

/** Marks backups as to be deleted; `sendDeletion` sends them to the agent, one after the other. */
export async function markDeleting(db: Db, server_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db`
    update server_backups set state = 'deleting', rest = state, error = null, op_id = null
    where server_id = ${server_id} and id = any(${[...ids]}) and state in ('done', 'unchanged', 'damaged')`;
}

/** Removes the oldest of too many failed and cancelled backups; they take no space. */
const forgetUnmade = (db: Db, server_id: string) => db`
  delete from server_backups where id in (
    select id from server_backups where server_id = ${server_id} and state in ('failed', 'cancelled')
    order by created desc offset ${max_unmade - 1})`;

/**
 * Deletes what is at the platform, and lets the agent delete the next other backup: one at a time, and none while something else is in
 * progress, because the agent does one thing at a time for a server.
 */
export async function sendDeletion(
  db: Db,
  server_id: string,
  node_id: string | null,
  now: Date,
): Promise<void> {
  await deleteAtPlatform(db, server_id);
  const backups = await backupRows(db, server_id);
  const going = backups.filter(({ state }) => state === 'deleting');
  if (going.length === 0 || going.some(({ op_id }) => op_id !== null)) return;
  if (await isBackupInProgress(db, server_id)) return;
  const { id, engine, target } = going.at(-1)!;
  const op_id = randomUUID();
  await db`update server_backups set op_id = ${op_id}, last_op_id = ${op_id} where id = ${id}`;
  await removeAtTarget(db, { server_id, node_id }, { id, engine, target }, op_id, now);
}

/** Those at the platform go without an agent, which may be lost: their files are removed by `removeRemains`. */
async function deleteAtPlatform(db: Db, server_id: string): Promise<void> {
  const gone = await db<{ id: string }[]>`
    delete from server_backups where server_id = ${server_id} and state = 'deleting' and target = 'platform' returning id`;
  for (const { id: backup_id } of gone)
    await recordEvent(db, { name: 'server.backup_deleted', server_id, data: { backup_id } });
}

/** The operation that removes what is stored of a backup. */
export async function removeAtTarget(
  db: Db,
  { server_id, node_id }: { server_id: string; node_id: string | null },
  { id, engine, target }: Pick<BackupRow, 'id' | 'engine' | 'target'>,
  op_id: string,
  now: Date,
): Promise<void> {
  await createOperation(
    db,
    {
      ...{ id: op_id, server_id, node_id, actor_id: null, kind: 'backup_delete' },
      args: { backup_id: id, engine, target },
      not_after: new Date(now.getTime() + patient_timeout_ms),
    },
    now,
  );
}
