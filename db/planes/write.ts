import type { Db } from '../sql.ts';
import type { PlaneRow } from './read.ts';
import { plane_dead_after_ms } from './rules.ts';

/** What a control plane reports of itself with every heartbeat. */
export type PlaneReport = Omit<PlaneRow, 'started' | 'last_seen'>;

/**
 * Stores a heartbeat at the time of the database. Gives whether the plane was known: one that was not is new, was taken
 * for dead, or Postgres lost the table in a crash.
 */
export async function recordPlane(db: Db, plane: PlaneReport): Promise<{ was_known: boolean }> {
  const { id, ...reported } = plane;
  const { count } = await db`update planes set ${db(reported)}, last_seen = now() where id = ${id}`;
  if (count > 0) return { was_known: true };
  await db`
    insert into planes ${db({ ...plane })}
    on conflict (id) do update set last_seen = now()`;
  return { was_known: false };
}

/**
 * Removes control planes without a recent heartbeat. Their leases end: nothing they still send under one is taken, and
 * their nodes are offline until their agents connect elsewhere. Gives their ids. Several planes may do this at once.
 */
export async function removeDeadPlanes(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    delete from planes
    where last_seen < now() - ${`${plane_dead_after_ms} milliseconds`}::interval returning id`;
  const dead = rows.map(({ id }) => id);
  if (dead.length > 0)
    await db`
      update nodes set lease = lease + 1, lease_holder = null,
        status = case when status in ('online', 'degraded') then 'offline' else status end
      where lease_holder = any(${dead})`;
  return dead;
}

/** A control plane ends: the others need not wait for its heartbeats. */
export async function removePlane(db: Db, id: string): Promise<void> {
  await db`delete from planes where id = ${id}`;
}
