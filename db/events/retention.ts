import type { Db } from '../sql.ts';

/** How long events are kept for people who look back; readers need them only until they have read them. */
export const retention_days = 30;
const batch = 10_000;

/**
 * Removes events that are older than 30 days at `now` and that every reader has handled. Gives how many went.
 * The slowest cursor holds everything after it, however old.
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
