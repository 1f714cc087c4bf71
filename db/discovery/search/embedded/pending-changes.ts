import { type Cursor, eventsAfter } from '../../../platform/events/read.ts';
import { getFact } from '../../../platform/installation.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { affectedBy } from '../documents/affected.ts';
import type { Facts } from './segment-file.ts';

/** Changes read from events. */
export interface ChangedIds {
  changed: Set<string>;
  counted: Set<string>;
  /** Something changed, and no event says what. */
  everything: boolean;
}

/** Whether `a` is after `b`. */
export function isAfter(a: Cursor, b: Cursor): boolean {
  const [x, y] = [BigInt(a.xact), BigInt(b.xact)];
  return x === y ? a.id > b.id : x > y;
}

/** The changes of the events after `from`, up to `until` or the last readable one, and that position. */
export async function pendingChanges(
  db: Db,
  from: Cursor,
  until: Cursor | null = null,
): Promise<ChangedIds & { upTo: Cursor }> {
  const found: ChangedIds = { changed: new Set(), counted: new Set(), everything: false };
  for (let upTo = from; ; ) {
    const batch = (await eventsAfter(db, upTo)).filter((event) => !until || !isAfter(event, until));
    const { projects, counted, everything, events } = await affectedBy(db, batch);
    const last = events.at(-1);
    if (!last) return { ...found, upTo };
    for (const id of projects) found.changed.add(id);
    for (const id of counted) found.counted.add(id);
    found.everything ||= everything;
    upTo = { xact: last.xact, id: last.id };
  }
}

/** Events are purged after 30 days. */
const safe_ms = 29 * 24 * 3_600_000;

/**
 * Why the events cannot bring a base up to date, or null: it is of another catalogue, or events since may be missing
 * because the base is old, or the log was truncated or restored.
 */
export async function whyNotContinued(
  db: Db,
  { origin, cursor, built }: Facts,
  now: number,
): Promise<string | null> {
  if (origin !== (await getFact<string>(db, 'search_origin'))) return 'it is of another catalogue';
  if (now - built > safe_ms) return 'it is older than the log of events';
  if (cursor.id === 0) return null; // there were no events
  const [row] = await db`select 1 from events where (xact, id) = (${cursor.xact}::xid8, ${cursor.id})`;
  return row ? null : 'the log of events does not reach back to it';
}

/** Number of events recorded after `cursor`, 10,000 at most. */
export async function countEventsAfter(db: Db, cursor: Cursor): Promise<number> {
  const [row] = await db<{ events: number }[]>`
    select count(*)::int as events from (
      select from events where (xact, id) > (${cursor.xact}::xid8, ${cursor.id}) limit 10000) after_it`;
  return row?.events ?? 0;
}
