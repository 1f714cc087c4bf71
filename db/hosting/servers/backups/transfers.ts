import { Refused } from '../../../platform/errors.ts';
import { randomText } from '../../../platform/id.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { hashToken } from '../../../platform/secrets/hash.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { TransferDirection } from '../transfer-addresses.ts';
import { backupKey, backupOfName, maxBytesOfName } from './stored-names.ts';

/** Files of backups on their way between agents and the storage of the platform. Source: hosting §1d, §5.6. */

/** How long an agent may take until it uses an address, and how long a transfer counts as alive without a sign. */
const start_ms = 60_000;
const alive_ms = 10 * 60_000;
/** Addresses of one server that wait or are in use: an agent does two things at a time. */
const max_open = 20;
/** States in which a backup is being made: only then its files are written, so that no node replaces what is complete. */
const written = ['queued', 'creating'];
/** States in which an agent may remove what it stored. */
const removable = [...written, 'failed', 'cancelled', 'deleting'];

/** Which agent asks: the node, and the lease that it has to hold. */
export interface AskingNode {
  node_id: string;
  lease: number;
}
interface File {
  server_id: string;
  name: string;
}

/** An address that was redeemed: the stream may begin. */
export interface BackupTransfer extends File {
  hash: string;
  staged: string;
  direction: TransferDirection;
  max_bytes: number;
}

interface Found {
  state: string;
  disk_mb: number;
  /** The server is on the node. */
  own: boolean;
}

/** A backup at the platform as the agent of a node may see it: of a server there, or one that is being restored to a server there. */
async function backupFor(db: Db, { node_id, lease }: AskingNode, { server_id, name }: File): Promise<Found> {
  const [holds] = await db`select 1 from nodes where id = ${node_id} and lease = ${lease}`;
  if (!holds) throw new Refused('lease_stale');
  const [found] = await db<Found[]>`
    select b.state, s.disk_mb, s.node_id is not distinct from ${node_id} as own
    from server_backups b join servers s on s.id = b.server_id
    where b.id = ${backupOfName(name)} and b.server_id = ${server_id} and b.target = 'platform'
      and (s.node_id = ${node_id} or exists (
        select 1 from server_tasks r join servers t on t.id = r.server_id
        where r.backup_id = b.id and r.ended is null and t.node_id = ${node_id}))`;
  if (!found) throw new Refused('backup_not_found');
  return found;
}

/**
 * Gives the secret of an address that the agent of a node may use once: to send a file of a backup that it is making, or to
 * fetch one. Refuses `lease_stale`, `backup_not_found` (also of servers on other nodes), `backup_not_ready` and `busy`.
 */
export async function openBackupTransfer(
  db: Db,
  asking: AskingNode,
  { direction, ...file }: File & { direction: TransferDirection },
  now: Date,
): Promise<string> {
  const { state, disk_mb, own } = await backupFor(db, asking, file);
  if (direction === 'to' && !own) throw new Refused('backup_not_found');
  if (direction === 'to' && !written.includes(state)) throw new Refused('backup_not_ready');
  const [{ open } = { open: 0 }] = await db<{ open: number }[]>`
    select count(*)::int as open from backup_transfers
    where server_id = ${file.server_id} and expires > ${now} and not committed and (used is null or direction = 'to')`;
  if (open >= max_open) throw new Refused('busy');
  const secret = randomText(40);
  const row = {
    ...{ hash: hashToken(secret), staged: randomText(32), ...file, backup_id: backupOfName(file.name)! },
    ...{ direction, max_bytes: maxBytesOfName(file.name, disk_mb) },
    expires: new Date(now.getTime() + start_ms),
  };
  await db`insert into backup_transfers ${db(row)}`;
  return secret;
}

/** Redeems an address: whoever is second, or late, gets `ticket_invalid`. */
export async function redeemBackupTransfer(
  db: Db,
  { secret, direction }: { secret: string; direction: TransferDirection },
  now: Date,
): Promise<BackupTransfer> {
  const [found] = await db<BackupTransfer[]>`
    update backup_transfers set used = ${now}, expires = ${new Date(now.getTime() + alive_ms)}
    where hash = ${hashToken(secret)} and direction = ${direction} and used is null and expires > ${now}
    returning hash, staged, server_id, name, direction, max_bytes`;
  if (!found) throw new Refused('ticket_invalid');
  return found;
}

/** Says that a transfer goes on. Gives false when it was given up: what it has staged is not wanted. */
export async function renewBackupTransfer(db: Db, hash: string, now: Date): Promise<boolean> {
  const { count } = await db`
    update backup_transfers set expires = ${new Date(now.getTime() + alive_ms)} where hash = ${hash}`;
  return count === 1;
}

/** Notes what arrived. Gives false when the transfer was given up meanwhile. */
export async function recordArrived(
  db: Db,
  hash: string,
  { bytes, sha256 }: { bytes: number; sha256: string },
  now: Date,
): Promise<boolean> {
  const expires = new Date(now.getTime() + alive_ms);
  const { count } =
    await db`update backup_transfers set ${db({ bytes, sha256, expires })} where hash = ${hash}`;
  return count === 1;
}

/** Forgets a transfer with what it has staged; also one that is not complete. */
export async function dropBackupTransfer(
  db: Db,
  storage: Storage,
  { hash, staged }: Pick<BackupTransfer, 'hash' | 'staged'>,
): Promise<void> {
  await (await storage.partial(staged))?.discard();
  await db`delete from backup_transfers where hash = ${hash}`;
}

interface Confirmed {
  bytes: number;
  sha256: string;
}
interface Arrived extends BackupTransfer {
  bytes: number | null;
  sha256: string | null;
  committed: boolean;
}

/**
 * Stores what arrived at an address under its name, now that the agent has said what it sent: complete or not at all. Repeated,
 * it says the same. Refuses `lease_stale`, `ticket_invalid`, `backup_not_found`, `backup_not_ready`, and
 * `backup_target_failed` when other bytes arrived or the storage has not kept all of them.
 */
export async function commitBackupTransfer(
  sql: Pool,
  storage: Storage,
  asking: AskingNode,
  { secret, ...said }: Confirmed & { secret: string },
  now: Date,
): Promise<void> {
  const hash = hashToken(secret);
  let row: Arrived | undefined;
  try {
    await sql.begin(async (tx) => {
      [row] = await tx<Arrived[]>`
        select hash, staged, server_id, name, direction, max_bytes, bytes, sha256, committed from backup_transfers
        where hash = ${hash} and direction = 'to' and used is not null for update`;
      if (!row) throw new Refused('ticket_invalid');
      await storeArrived(tx, storage, asking, row, said);
      const expires = new Date(now.getTime() + alive_ms);
      await tx`update backup_transfers set committed = true, expires = ${expires} where hash = ${hash}`;
    });
  } catch (error) {
    const final = error instanceof Refused && error.code.startsWith('backup_');
    // what cannot be discarded now is found by its row
    if (row && final) await dropBackupTransfer(sql, storage, row).catch(() => {});
    throw error;
  }
}

async function storeArrived(
  tx: Db,
  storage: Storage,
  asking: AskingNode,
  row: Arrived,
  { bytes, sha256 }: Confirmed,
): Promise<void> {
  const { server_id, name, staged } = row;
  const has = (size: number | undefined | null) =>
    new Refused('backup_target_failed', { problem: `it has ${size ?? 0} of ${bytes} bytes` });
  const { own } = await backupFor(tx, asking, row);
  if (!own) throw new Refused('backup_not_found');
  if (row.bytes !== bytes || row.sha256 !== sha256) throw has(row.bytes);
  if (row.committed) return;
  // whoever deletes the backup waits: afterwards its files are known to be there
  const [backup] = await tx<{ state: string }[]>`
    select state from server_backups where id = ${backupOfName(name)} and server_id = ${server_id} for share`;
  if (!backup) throw new Refused('backup_not_found');
  if (!written.includes(backup.state)) throw new Refused('backup_not_ready');
  const file = await storage.partial(staged);
  if (file?.size !== bytes) throw has(file?.size);
  const key = backupKey(server_id, name);
  await storage.remove(key); // of an attempt before
  const stored = await storage.put(key, file);
  if (stored.size !== bytes) {
    await storage.remove(key);
    throw has(stored.size);
  }
  await file.discard();
}

/** Removes a file of a backup that is not complete, or no more wanted. Refuses `lease_stale` and `backup_not_ready`. */
export async function removeStoredFile(
  db: Db,
  storage: Storage,
  asking: AskingNode,
  file: File,
): Promise<void> {
  const found = await backupFor(db, asking, file).catch((error) => {
    if (error instanceof Refused && error.code === 'backup_not_found') return null;
    throw error;
  });
  if (!found?.own) return; // what a deleted one left is removed by `removeRemains`
  if (!removable.includes(found.state)) throw new Refused('backup_not_ready');
  await storage.remove(backupKey(file.server_id, file.name));
}
