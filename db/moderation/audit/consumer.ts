import { definitionOf } from '../../platform/events/catalogue.ts';
import type { EventConsumer } from '../../platform/events/consumer.ts';
import { idColumns } from '../../platform/events/define.ts';
import { cursorOf, type Event, eventsAfter, saveCursor } from '../../platform/events/read.ts';
import type { Pool } from '../../platform/postgres/sql.ts';

/** Name of the audit log's event cursor. */
const auditCursor = 'audit';

/**
 * Copies audited events into `audit_log`, one batch per step. Each event is copied once: its id is the key, and the
 * cursor moves in the same transaction. Gives the number of events handled.
 */
export function auditConsumer(sql: Pool): EventConsumer {
  return {
    name: auditCursor,
    step: () =>
      sql.begin(async (tx) => {
        const events = await eventsAfter(tx, (await cursorOf(tx, auditCursor)) ?? { xact: '0', id: 0 });
        const last = events.at(-1);
        if (!last) return 0;
        const rows = events.filter(({ name }) => definitionOf(name).audited).map(rowOf);
        if (rows.length > 0)
          await tx`
            insert into audit_log (event_id, at, name, actor_id, subject_type, subject_id, data)
            select event_id, at, name, actor_id, subject_type, subject_id, data
            from jsonb_to_recordset(${tx.json(rows as never)}) as r (event_id bigint, at timestamptz, name text,
              actor_id text, subject_type text, subject_id text, data jsonb)
            on conflict do nothing`;
        await saveCursor(tx, auditCursor, last);
        return events.length;
      }),
  };
}

/** The subject, and the event's data with the other ids it names. */
function rowOf(event: Event): object {
  const { subject } = definitionOf(event.name);
  const own = subject === 'catalogue' ? null : (`${subject}_id` as const);
  const others = idColumns.flatMap((column) =>
    column !== own && event[column] ? [[column, event[column]] as const] : [],
  );
  return {
    event_id: event.id,
    at: event.created,
    name: event.name,
    actor_id: event.actor_id,
    subject_type: subject,
    subject_id: own && event[own],
    data: { ...event.data, ...Object.fromEntries(others) },
  };
}
