import type { Db } from '../sql.ts';
import type { EventName } from './write.ts';

/** Where a reader stands: every event at or before it has been handled. `xact` is Postgres' xid8 as text. */
export interface Cursor {
  xact: string;
  id: number;
}

export interface Event {
  id: number;
  xact: string;
  name: EventName;
  actor_id: string | null;
  user_id: string | null;
  project_id: string | null;
  version_id: string | null;
  team_id: string | null;
  organization_id: string | null;
  data: Record<string, unknown>;
  created: string;
}

/**
 * Up to `limit` events after `cursor`, oldest first. Only rows below the oldest transaction still open are given, so
 * a row that commits late is never jumped over. Source: design, Seams (Events).
 */
export async function after(db: Db, cursor: Cursor, limit = 500): Promise<Event[]> {
  return await db<Event[]>`
    select id, xact::text, name, actor_id, user_id, project_id, version_id, team_id, organization_id, data, created
    from events
    where (xact, id) > (${cursor.xact}::xid8, ${cursor.id}) and xact < pg_snapshot_xmin(pg_current_snapshot())
    order by events.xact, events.id -- not the text selected as xact: there 1000 comes before 999
    limit ${limit}`;
}

/** The place after the newest event that is safe to read now. */
export async function head(db: Db): Promise<Cursor> {
  const [row] = await db<Cursor[]>`
    select xact::text, id from events where xact < pg_snapshot_xmin(pg_current_snapshot())
    order by events.xact desc, events.id desc limit 1`;
  return row ?? { xact: '0', id: 0 };
}

/** The stored place of `reader`, or null when it never ran. */
export async function cursorOf(db: Db, reader: string): Promise<Cursor | null> {
  const [row] = await db<Cursor[]>`select xact::text, id from event_cursors where reader = ${reader}`;
  return row ?? null;
}

/** Forgets the place of `reader`: one that will not come back must not hold events for ever. */
export async function dropCursor(db: Db, reader: string): Promise<void> {
  await db`delete from event_cursors where reader = ${reader}`;
}

/** Stores the place of `reader`, in the transaction that did its work. */
export async function moveCursor(db: Db, reader: string, { xact, id }: Cursor): Promise<void> {
  await db`
    insert into event_cursors (reader, xact, id) values (${reader}, ${xact}::xid8, ${id})
    on conflict (reader) do update set xact = excluded.xact, id = excluded.id, moved = now()`;
}

/** Events that the slowest consumer has not handled, 10,000 at most. */
export async function countUnreadEvents(db: Db): Promise<number> {
  const [row] = await db`
    select count(*)::int as unread from (
      select 1 from events e join event_cursors c on (e.xact, e.id) > (c.xact, c.id) limit 10000) unread`;
  return row?.unread ?? 0;
}
