import { randomText } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';

/** Whether an agent sends to an address or fetches from it. */
export type TransferDirection = 'to' | 'from';

interface NewAddress {
  server_id: string;
  /** The plane that waits at it. */
  plane_id: string;
  direction: TransferDirection;
  expires: Date;
}

/** Stores an address that an agent may use once, and gives its secret. Source: hosting §1e (rendezvous). */
export async function createTransferAddress(db: Db, address: NewAddress): Promise<string> {
  const secret = randomText(40);
  await db`insert into server_transfers ${db({ hash: hashToken(secret), ...address })}`;
  return secret;
}

/** The plane that waits at an address; null when there is none, and when it was used or is expired. */
export async function planeOfTransfer(
  db: Db,
  { secret, direction }: { secret: string; direction: TransferDirection },
  now: Date,
): Promise<string | null> {
  const [row] = await db<{ plane_id: string }[]>`
    select plane_id from server_transfers
    where hash = ${hashToken(secret)} and direction = ${direction} and used is null and expires > ${now}`;
  return row?.plane_id ?? null;
}

/** Redeems an address. Gives false when it was used or is expired: whoever is second gets nothing. */
export async function redeemTransferAddress(
  db: Db,
  { secret, direction }: { secret: string; direction: TransferDirection },
  now: Date,
): Promise<boolean> {
  const { count } = await db`
    update server_transfers set used = ${now}
    where hash = ${hashToken(secret)} and direction = ${direction} and used is null and expires > ${now}`;
  return count === 1;
}

export async function deleteTransferAddress(db: Db, secret: string): Promise<void> {
  await db`delete from server_transfers where hash = ${hashToken(secret)}`;
}

/** Removes expired addresses: up to `limit`, so that no lock is held long. Gives their number. */
export async function purgeTransferAddresses(db: Db, now: Date, limit = 2_000): Promise<number> {
  const { count } = await db`
    delete from server_transfers where ctid in (
      select ctid from server_transfers where expires < ${now} limit ${limit})`;
  return count;
}
