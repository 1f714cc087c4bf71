import type { Db } from '../postgres/sql.ts';
import type { EventData, EventName } from './catalogue.ts';
import { type EventIds, idColumns } from './define.ts';

/** Position of a consumer: it has handled every event up to and including it. `xact` is Postgres' xid8 as text. */
export interface Cursor {
  xact: string;
  id: number;
}

interface EventRow extends EventIds {
  id: number;
  xact: string;
  actor_id: string | null;
  created: string;
}
/** A recorded event; its name determines the type of its data. */
export type Event = { [N in EventName]: EventRow & { name: N; data: EventData<N> } }[EventName];

/** The columns of an event, for queries of another driver. */
export const eventColumns = ['id', 'name', 'actor_id', ...idColumns, 'data', 'created'] as const;

/**
 * Up to `limit` events after `cursor`, oldest first. Only rows below the oldest open transaction are returned, so that
 * a row that commits late is never skipped. Source: design §4.1.
 */
export async function eventsAfter(db: Db, cursor: Cursor, limit = 500): Promise<Event[]> {
  return await db<Event[]>`
    select ${db(eventColumns as unknown as string[])}, xact::text
    from events
    where (xact, id) > (${cursor.xact}::xid8, ${cursor.id}) and xact < pg_snapshot_xmin(pg_current_snapshot())
    order by events.xact, events.id -- not the text selected as xact: there 1000 comes before 999
    limit ${limit}`;
}

/** The position of the newest event that is safe to read now. */
export async function latestCursor(db: Db): Promise<Cursor> {
  const [row] = await db<Cursor[]>`
    select xact::text, id from events where xact < pg_snapshot_xmin(pg_current_snapshot())
    order by events.xact desc, events.id desc limit 1`;
  return row ?? { xact: '0', id: 0 };
}

/** The stored position of `reader`, or null when it never ran. */
export async function cursorOf(db: Db, reader: string): Promise<Cursor | null> {
  const [row] = await db<Cursor[]>`select xact::text, id from event_cursors where reader = ${reader}`;
  return row ?? null;
}

/** Deletes the position of `reader`: a retired consumer must not prevent the purge of events. */
export async function deleteCursor(db: Db, reader: string): Promise<void> {
  await db`delete from event_cursors where reader = ${reader}`;
}

/** Stores the position of `reader`; call it in the transaction that did its work. */
export async function saveCursor(db: Db, reader: string, { xact, id }: Cursor): Promise<void> {
  await db`
    insert into event_cursors (reader, xact, id) values (${reader}, ${xact}::xid8, ${id})
    on conflict (reader) do update set xact = excluded.xact, id = excluded.id, moved = now()`;
}

/** Number of events that the slowest consumer has not handled, up to 10,000. */
export async function countUnreadEvents(db: Db): Promise<number> {
  const [row] = await db`
    select count(*)::int as unread from (
      select 1 from events e join event_cursors c on (e.xact, e.id) > (c.xact, c.id) limit 10000) unread`;
  return row?.unread ?? 0;
}
