import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { keysOfBackup } from './stored-names.ts';
import { dropBackupTransfer } from './transfers.ts';

/** What is left of backups that are gone: every step may be repeated. */

/** A store that did not work is tried again after this time. */
const retry_ms = 10 * 60_000;

/** A backup whose files are to be removed from an S3 store by an agent that has it. */
export interface StoreRemains {
  backup_id: string;
  server_id: string;
  engine: 'archive' | 'restic';
}

/** Notes that what may be stored of a backup that was not made is to be removed. */
export const leaveRemains = (db: Db, backup_id: string) => db`
  insert into backup_remains (backup_id, server_id, target, engine, store)
  select id, server_id, target, engine, store from server_backups where id = ${backup_id} and target = 'platform'
  on conflict do nothing`;

/**
 * Removes files of backups at the platform that are gone or were not made, up to `limit` backups, and gives their number. One
 * that is being made again, by its id, keeps its files.
 */
export async function removeRemains(sql: Pool, storage: Storage, now: Date, limit: number): Promise<number> {
  const due = await sql<{ backup_id: string; server_id: string }[]>`
    update backup_remains set next_try = ${new Date(now.getTime() + retry_ms)}
    where backup_id in (select backup_id from backup_remains where target = 'platform' and next_try <= ${now}
      order by next_try limit ${limit})
    returning backup_id, server_id`;
  for (const { backup_id, server_id } of due)
    await sql.begin(async (tx) => {
      const [backup] = await tx<{ state: string }[]>`
        select state from server_backups where id = ${backup_id} for update`;
      if (!backup || backup.state === 'failed' || backup.state === 'cancelled')
        for (const key of keysOfBackup(server_id, backup_id)) await storage.remove(key);
      await tx`delete from backup_remains where backup_id = ${backup_id}`;
    });
  return due.length;
}

/** Discards what transfers have staged that nobody goes on with, such as those of a killed control plane. Gives their number. */
export async function dropExpiredTransfers(
  db: Db,
  storage: Storage,
  now: Date,
  limit: number,
): Promise<number> {
  const expired = await db<{ hash: string; staged: string }[]>`
    select hash, staged from backup_transfers where expires <= ${now} order by expires limit ${limit}`;
  for (const one of expired) await dropBackupTransfer(db, storage, one);
  return expired.length;
}

/** Backups that the agent of a node is to remove from its store now; the next try follows later. */
export async function takeStoreRemains(
  db: Db,
  node_id: string,
  now: Date,
  limit: number,
): Promise<StoreRemains[]> {
  return await db<StoreRemains[]>`
    update backup_remains r set next_try = ${new Date(now.getTime() + retry_ms)}
    where backup_id = any(array(
      select m.backup_id from backup_remains m join nodes n on n.facts->>'backup_store' = m.store
      where n.id = ${node_id} and m.target = 's3' and m.next_try <= ${now}
      order by m.next_try limit ${limit} for update of m skip locked))
    returning backup_id, server_id, engine`;
}

/** Forgets backups that an agent has removed from its store. */
export async function forgetStoreRemains(db: Db, backup_ids: readonly string[]): Promise<void> {
  await db`delete from backup_remains where target = 's3' and backup_id = any(${[...backup_ids]})`;
}
