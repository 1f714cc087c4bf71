import type { Db } from '../postgres/sql.ts';

/** Retention of events in days, for troubleshooting; consumers need events only until they are handled. */
const retention_days = 30;
const batch = 10_000;

/**
 * Removes events that are older than 30 days at `now` and that every consumer has handled. Gives their number. Events
 * after the slowest cursor are kept, however old.
 */
export async function purgeEvents(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retention_days * 86_400_000);
  for (let removed = 0; ; ) {
    const { count } = await db`
      delete from events where id in (
        select id from events
        where created < ${before}
          and not exists (select 1 from event_cursors c where (events.xact, events.id) > (c.xact, c.id))
        order by id limit ${batch})`;
    removed += count;
    if (count < batch) return removed;
  }
}
