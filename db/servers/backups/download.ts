import { assertAllowed } from '../../errors.ts';
import { recordEvent } from '../../events/write.ts';
import type { Actor } from '../../people/rules.ts';
import type { Db } from '../../sql.ts';
import { createOperation } from '../operations.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotDownload, whyNotHave } from '../rules.ts';
import { createTicket } from '../tickets.ts';
import { backupRow } from './read.ts';
import { whyNotUseBackup } from './rules.ts';
import { archiveName, backupKey } from './stored-names.ts';

interface Download {
  server_id: string;
  backup_id: string;
}

/**
 * The address of a backup on the site, valid once and for ten minutes, and the node that sends its bytes: null for one at the
 * platform. Refuses as `whyNotHave.backups`, `whyNotDownload` and
 * `whyNotUseBackup`, and `backup_not_found`.
 */
export async function downloadBackup(
  db: Db,
  actor: Actor,
  { server_id, backup_id }: Download,
  now: Date,
): Promise<{ address: string; node_id: string | null }> {
  const { facts, view, node_id } = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.backups);
  const backup = await backupRow(db, server_id, backup_id);
  const why = whyNotDownload({ ...facts, reason: view.lifecycle_data.reason, placed: node_id !== null });
  // what is at the platform needs no agent
  assertAllowed(why === 'server_unreachable' && backup.target === 'platform' ? null : why);
  assertAllowed(whyNotUseBackup(backup));
  const { user_id } = actor;
  const ticket = { kind: 'backup', server_id, user_id, token_hash: null, args: { backup_id } } as const;
  const address = `/transfers?ticket=${await createTicket(db, ticket, now)}`;
  const by = { actor_id: actor.user_id, server_id };
  await recordEvent(db, { name: 'server.backup_download_requested', ...by, data: { backup_id } });
  return { address, node_id: backup.target === 'platform' ? null : node_id };
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

/**
 * A backup at the platform, for the holder of its ticket: it is sent without an agent. Null for one elsewhere. Refuses as
 * `whyNotUseBackup`, and `backup_not_found`.
 */
export async function backupAtPlatform(
  db: Db,
  { server_id, backup_id }: Download,
): Promise<{ name: string; key: string; sha256: string | null } | null> {
  const backup = await backupRow(db, server_id, backup_id);
  if (backup.target !== 'platform') return null;
  assertAllowed(whyNotUseBackup(backup));
  const { name, sha256 } = backup;
  return { name, key: backupKey(server_id, archiveName(backup_id)), sha256 };
}
