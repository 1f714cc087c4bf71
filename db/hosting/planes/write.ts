import type { Db } from '../../platform/postgres/sql.ts';
import type { PlaneRow } from './read.ts';
import { plane_dead_after_ms } from './rules.ts';

/** What a control plane reports of itself with every heartbeat. */
export type PlaneReport = Omit<PlaneRow, 'started' | 'last_seen'>;

/**
 * Stores a heartbeat at the time of the database, in one statement: a plane that is cut off in the middle locks nothing.
 * Gives whether the plane was known: one that was not is new, was taken for dead, or Postgres lost the table in a crash.
 */
export async function recordPlane(db: Db, plane: PlaneReport): Promise<{ was_known: boolean }> {
  const { id: _, ...reported } = plane;
  const [row] = await db<[{ is_new: boolean }]>`
    insert into planes ${db({ ...plane })}
    on conflict (id) do update set ${db(reported)}, last_seen = now()
    returning xmax = 0 as is_new`;
  return { was_known: !row.is_new };
}

/**
 * Removes control planes without a recent heartbeat, in the caller's transaction. Their leases end: nothing they still send
 * under one is taken. Their nodes stay online for as long as agents may be silent: these connect elsewhere. Gives the ids of the removed ones.
 * Waits for nothing: rows that a plane still locks, which was cut off in the middle, are left for the next time.
 */
export async function removeDeadPlanes(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from planes
    where last_seen < now() - ${`${plane_dead_after_ms} milliseconds`}::interval for update skip locked`;
  if (rows.length === 0) return [];
  const dead = rows.map(({ id }) => id);
  await db`
    update nodes set lease = lease + 1, lease_holder = null
    where id in (select id from nodes where lease_holder = any(${dead}) for update skip locked)`;
  const removed = await db<{ id: string }[]>`
    delete from planes
    where id = any(${dead}) and not exists (select from nodes where lease_holder = planes.id) returning id`;
  return removed.map(({ id }) => id);
}

/** A control plane ends: the others need not wait for its heartbeats. */
export async function removePlane(db: Db, id: string): Promise<void> {
  await db`delete from planes where id = ${id}`;
}
