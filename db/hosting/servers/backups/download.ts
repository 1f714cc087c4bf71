import { assertAllowed, type RefusalCode, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { createOperation } from '../operations/operations.ts';
import { findAuthorizedServer, type ServerRecord, serversById } from '../read.ts';
import { whyNotDownload, whyNotHave } from '../rules.ts';
import { createTicket } from '../tickets.ts';
import { type BackupRow, backupRow } from './read.ts';
import { exportEnds, whyNotUseBackup } from './rules.ts';
import { archiveName, backupKey } from './stored-names.ts';

/** How long the address of an export works that is locked after its time. */
const locked_ticket_ms = 24 * 3_600_000;

interface Download {
  server_id: string;
  backup_id: string;
}

/** Why a backup cannot be downloaded now, or null. */
const whyNotDownloadBackup = (
  { facts, view, node_id }: ServerRecord,
  { target }: BackupRow,
): RefusalCode | null =>
  whyNotDownload(
    { ...facts, reason: view.lifecycle_data.reason, placed: node_id !== null },
    target === 'platform',
  );

/**
 * The address of a backup on the site, valid once and for ten minutes, of an export as often as wanted while it is kept; and
 * the node that sends its bytes: null for one at the platform. Refuses as `whyNotHave.backups`, `whyNotDownloadBackup` and
 * `whyNotUseBackup`, and `backup_not_found`.
 */
export async function downloadBackup(
  db: Db,
  actor: Actor,
  { server_id, backup_id }: Download,
  now: Date,
): Promise<{ address: string; node_id: string | null }> {
  const server = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.backups);
  const backup = await backupRow(db, server_id, backup_id);
  assertAllowed(whyNotDownloadBackup(server, backup));
  assertAllowed(whyNotUseBackup(backup));
  const { user_id } = actor;
  const of = { server_id, user_id, token_hash: null, args: { backup_id } };
  const ends = exportEnds(backup.created);
  // one that is locked is kept longer than its time
  const expires = ends > now ? ends : new Date(now.getTime() + locked_ticket_ms);
  const secret = await createTicket(
    db,
    backup.reason === 'export' ? { kind: 'export', ...of, expires } : { kind: 'backup', ...of },
    now,
  );
  const by = { actor_id: actor.user_id, server_id };
  await recordEvent(db, { name: 'server.backup_download_requested', ...by, data: { backup_id } });
  const address = `/transfers?ticket=${secret}`;
  return { address, node_id: backup.target === 'platform' ? null : server.node_id };
}

/**
 * Lets the agent send a backup to the address `put`, for the holder of its ticket; it is `preparing` until that has ended.
 * The ticket proves the right. Gives the name of the backup. Refuses as `whyNotUseBackup`, and `backup_not_found`.
 */
export async function sendBackup(
  db: Db,
  { server_id, backup_id, user_id }: Download & { user_id: string },
  { op_id, put, not_after }: { op_id: string; put: string; not_after: Date },
  now: Date,
): Promise<string> {
  const [server] = await db<{ node_id: string | null }[]>`
    select node_id from servers where id = ${server_id} for update`;
  const backup = await backupRow(db, server_id, backup_id);
  assertAllowed(whyNotUseBackup(backup));
  const { engine, target, state, name } = backup;
  await db`
    update server_backups set state = 'preparing', rest = ${state}, error = null, op_id = ${op_id},
      last_op_id = ${op_id}, cancelling = false
    where id = ${backup_id}`;
  await createOperation(
    db,
    {
      ...{ id: op_id, server_id, node_id: server?.node_id ?? null, actor_id: user_id, kind: 'backup_send' },
      args: { backup_id, engine, target, put },
      not_after,
    },
    now,
  );
  return name;
}

/** A backup at the platform: what stands before its archive, and where that is. */
export interface StoredBackup {
  name: string;
  head: Buffer | null;
  key: string;
  sha256: string | null;
}

/**
 * A backup at the platform, for the holder of its ticket: it is sent without an agent. Null for one elsewhere. Refuses as
 * `whyNotDownloadBackup` and `whyNotUseBackup`, `backup_not_found` and `server_not_found`.
 */
export async function backupAtPlatform(
  db: Db,
  { server_id, backup_id }: Download,
  now: Date,
): Promise<StoredBackup | null> {
  const backup = await backupRow(db, server_id, backup_id);
  if (backup.target !== 'platform') return null;
  // the ticket of an export may be days old
  const [server] = await serversById(db, [server_id], now);
  if (!server) throw new Refused('server_not_found');
  assertAllowed(whyNotDownloadBackup(server, backup));
  assertAllowed(whyNotUseBackup(backup));
  const { name, sha256 } = backup;
  const head = await headOf(db, backup_id);
  return { name, head, key: backupKey(server_id, archiveName(backup_id)), sha256 };
}

/** What stands before the archive of an export; null for any other backup. */
async function headOf(db: Db, backup_id: string): Promise<Buffer | null> {
  const [row] = await db<{ head: Buffer }[]>`select head from server_exports where backup_id = ${backup_id}`;
  return row?.head ?? null;
}
