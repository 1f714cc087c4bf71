import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '../postgres/sql.ts';
import { recordRights } from '../security-log/rights.ts';
import { definitionOf, type NewEvent } from './catalogue.ts';
import { idColumns } from './define.ts';

/** Notes whether the work that runs inside it recorded events, so that whoever answers for it can apply them first. */
export const recording = new AsyncLocalStorage<{ recorded: boolean }>();

/**
 * Records an event in the caller's transaction; consumers are notified (NOTIFY) after the commit. Throws when the data
 * does not match the shape in the catalogue, since consumers rely on it.
 */
export async function recordEvent(db: Db, event: NewEvent): Promise<void> {
  await recordEvents(db, [event]);
}

/** `recordEvent` for many at once, in one statement. */
export async function recordEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map((event) => {
    const { name, actor_id = null } = event;
    const data = definitionOf(name).data.parse(event.data);
    const ids = Object.fromEntries(idColumns.map((column) => [column, event[column] ?? null]));
    return { name, actor_id, ...ids, data: db.json(data as never) };
  });
  if (rows.length === 0) return;
  const noted = recording.getStore();
  if (noted) noted.recorded = true;
  await db`insert into events ${db(rows)}`;
  await recordRights(db, events, new Date());
}
