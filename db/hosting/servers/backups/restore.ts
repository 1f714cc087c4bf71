import { assertAllowed } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer, type ServerRecord } from '../read.ts';
import { mustStop, whyNotHave, whyNotOperate } from '../rules.ts';
import { openTask, requestedTask } from '../tasks/rows.ts';
import { type BackupSettings, makeRoom } from './begin.ts';
import { type BackupRow, backupRow, backupViewOf, isBackupInProgress } from './read.ts';
import { beginRestore, type Restore } from './restore-steps.ts';
import { whyNotBeginBackup, whyNotRestoreTo, whyNotUseBackup } from './rules.ts';
import type { BackupView } from './view.ts';

export interface RestoreRequest {
  server_id: string;
  backup_id: string;
  /** Made by the client: the same one twice is one restore. */
  op_id: string;
  /** Another server of the same owner, whose files are replaced. */
  to?: string | undefined;
  /** Makes a backup of the state before first. */
  safety: boolean;
  /** A running server may be stopped; it is started again afterwards. */
  stop: boolean;
}

/**
 * Begins to replace all files of a server by those of a backup. Refuses as `whyNotHave.backups`, `whyNotOperate`,
 * `whyNotUseBackup` and `whyNotRestoreTo`; `server_still_running` unless `stop`, `server_upgrading`,
 * `backup_in_progress` and `server_busy` on either server, `backups_too_many` when there is no room for the safety backup,
 * `backup_not_found`, `operation_mismatch`; `backup_canceled` when the same request was canceled.
 */
export async function requestRestore(
  db: Db,
  actor: Actor,
  { server_id, backup_id, op_id, to = server_id, safety, stop }: RestoreRequest,
  settings: BackupSettings,
  now: Date,
): Promise<BackupView> {
  await db`select 1 from servers where id = any(${[server_id, to]}) order by id for update`;
  const source = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.backups);
  const target =
    to === server_id ? source : await findAuthorizedServer(db, actor, to, now, whyNotHave.backups);
  const backup = await backupRow(db, server_id, backup_id);
  const before = await requestedTask<Restore>(
    db,
    'restore',
    op_id,
    (one) => one.backup_id === backup_id && one.server_id === to,
  );
  assertAllowed(before?.step === 'cancelled' ? 'backup_canceled' : null);
  if (before) return backupViewOf(backup);
  assertAllowed(whyNotOperate(target.facts));
  assertAllowed(target.facts.lifecycle === 'upgrading' ? 'server_upgrading' : null);
  assertAllowed(whyNotUseBackup(backup));
  if (to !== server_id) await assertFits(db, source, target, backup);
  const busy = (await isBackupInProgress(db, to)) || (await isBackupInProgress(db, server_id));
  assertAllowed(whyNotBeginBackup({ in_progress: busy, count: 0 }));
  for (const id of [to, server_id])
    assertAllowed((await openTask(db, 'change', id)) ? 'server_busy' : null, { by: 'content_change' });
  const { power_wanted } = target.view;
  assertAllowed(!stop && mustStop({ ...target.facts, power_wanted }) ? 'server_still_running' : null);
  // its place stays free: nothing else begins until the restore has ended
  if (safety) await makeRoom(db, to, now, backup_id);
  const by = { actor_id: actor.user_id, server_id: to };
  await recordEvent(db, { name: 'server.backup_restore_requested', ...by, data: { backup_id } });
  const task = { id: op_id, server_id: to, actor_id: actor.user_id, backup_id, data: { safety } };
  await beginRestore(db, task, settings, now);
  return backupViewOf(await backupRow(db, server_id, backup_id));
}

async function assertFits(
  db: Db,
  source: ServerRecord,
  target: ServerRecord,
  backup: Pick<BackupRow, 'id' | 'target'>,
): Promise<void> {
  const factsOf = ({ view, facts, node_id }: ServerRecord) => ({
    ...{ owner_id: facts.owner_id, node_id, kind: view.kind, disk_mb: view.disk_mb },
  });
  const [same] = await db`
    select 1 from server_backups b join nodes n on n.facts->>'backup_store' = b.store
    where b.id = ${backup.id} and n.id = ${target.node_id}`;
  const place = { target: backup.target, same_store: same !== undefined };
  assertAllowed(whyNotRestoreTo(factsOf(source), factsOf(target), place), {
    kind: target.view.kind,
    disk_gb: Math.floor(target.view.disk_mb / 1024),
    needed_gb: Math.ceil(source.view.disk_mb / 1024),
  });
}
