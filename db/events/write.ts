import type { Db } from '../sql.ts';
import { definitionOf, type NewEvent } from './catalogue.ts';
import { idColumns } from './define.ts';

/**
 * Records an event in the caller's transaction; consumers are woken by NOTIFY after its commit. Throws when the data is
 * not of the shape that the catalogue declares: consumers rely on it.
 */
export async function recordEvent(db: Db, event: NewEvent): Promise<void> {
  const { name, actor_id = null } = event;
  const data = definitionOf(name).data.parse(event.data);
  const ids = Object.fromEntries(idColumns.map((column) => [column, event[column] ?? null]));
  await db`insert into events ${db({ name, actor_id, ...ids, data: db.json(data as never) })}`;
}
