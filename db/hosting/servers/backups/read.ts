import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { OperationError } from '../operations/rules.ts';
import { findAuthorizedServer } from '../read.ts';
import { defaultRetention } from './retention.ts';
import { type BackupState, exclusiveStates, isAutomated, max_backups, type RestingState } from './rules.ts';
import type { BackupView, RetentionRules } from './view.ts';

/** Most rows that are read of one server: those that count, those that go, and those that failed. */
const max_rows = 60;

/** A backup as it is stored, with the progress of its operation. */
export interface BackupRow {
  id: string;
  server_id: string;
  name: string;
  state: BackupState;
  rest: RestingState | null;
  reason: BackupView['reason'];
  locked: boolean;
  op_id: string | null;
  last_op_id: string | null;
  cancelling: boolean;
  error: OperationError | null;
  created: string;
  ended: string | null;
  bytes: number | null;
  content_bytes: number | null;
  files: number | null;
  sha256: string | null;
  changed: string[];
  changed_count: number;
  game_version: string;
  loader: string | null;
  engine: BackupView['engine'];
  target: BackupView['target'];
  verified: string | null;
  progress: { done: number; total: number | null } | null;
}

const rows = (db: Db, where: ReturnType<Db>) => db<BackupRow[]>`
  select b.id, b.server_id, b.name, b.state, b.rest, b.reason, b.locked, b.op_id, b.last_op_id, b.cancelling, b.error,
    b.created, b.ended, b.bytes, b.content_bytes, b.files, b.sha256, b.changed, b.changed_count, b.game_version, b.loader,
    b.engine, b.target, b.verified, o.progress
  from server_backups b left join server_operations o on o.id = b.op_id
  where ${where} order by b.created desc, b.id limit ${max_rows}`;

/** All backups of a server, newest first. */
export const backupRows = (db: Db, server_id: string): Promise<BackupRow[]> =>
  rows(db, db`b.server_id = ${server_id}`);

/** A backup of whichever server. Refuses `backup_not_found`. */
export async function backupById(db: Db, id: string): Promise<BackupRow> {
  const [row] = await rows(db, db`b.id = ${id}`);
  if (!row) throw new Refused('backup_not_found');
  return row;
}

/** One backup of a server. Refuses `backup_not_found`. */
export async function backupRow(db: Db, server_id: string, id: string): Promise<BackupRow> {
  const [row] = await rows(db, db`b.server_id = ${server_id} and b.id = ${id}`);
  if (!row) throw new Refused('backup_not_found');
  return row;
}

/** A backup as the owner of its server sees it. */
export function backupViewOf(row: BackupRow): BackupView {
  const { id, name, state, progress, error, locked, reason, created, ended, bytes, content_bytes } = row;
  const { files, changed, changed_count, game_version, loader, engine, target, verified } = row;
  return {
    ...{ id, name, state, error, locked, reason, created, ended, bytes, content_bytes, files },
    progress: progress && { done: progress.done, total: progress.total },
    automated: isAutomated(reason),
    ...{ changed, changed_count, game_version, loader, engine, target, verified },
  };
}

/** The backups of a server as its owner sees them, newest first; for events. */
export const backupViews = async (db: Db, server_id: string): Promise<BackupView[]> =>
  (await backupRows(db, server_id)).map(backupViewOf);

/** Which automated backups of a server stay. */
export async function retentionOf(db: Db, server_id: string): Promise<RetentionRules> {
  const [row] = await db<RetentionRules[]>`
    select every_hours, last, hourly, daily, weekly from server_backup_rules where server_id = ${server_id}`;
  return row ? { ...row } : defaultRetention;
}

/** The backups of a server, how many there may be, and which stay. Refuses as `whyNotSee` says. */
export async function listBackups(
  db: Db,
  actor: Actor,
  server_id: string,
  now: Date,
): Promise<{ backups: BackupView[]; most: number; retention: RetentionRules }> {
  await findAuthorizedServer(db, actor, server_id, now);
  return {
    backups: await backupViews(db, server_id),
    most: max_backups,
    retention: await retentionOf(db, server_id),
  };
}

/** Whether a backup of the server is in progress, or a restore to it. */
export async function isBackupInProgress(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`
    select 1 from server_backups where server_id = ${server_id} and state = any(${[...exclusiveStates]})
    union all select 1 from server_tasks where server_id = ${server_id} and kind = 'restore' and ended is null limit 1`;
  return row !== undefined;
}
