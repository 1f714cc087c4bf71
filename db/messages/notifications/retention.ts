import type { Db } from '../../platform/postgres/sql.ts';

/**
 * How long notifications are kept, in days. Who has read one has seen it, and a quarter is enough to find it again; an
 * unread one may wait for somebody who comes back once a year. Nothing depends on them: an invitation stays in its team.
 */
const notification_retention_days = { read: 90, unread: 365 } as const;
const batch = 10_000;
/** Maximum batches of one run, which leaves the rest to the next day. */
const max_batches = 100;

/** Deletes notifications that are older than they are kept at `now`, oldest first, in batches. Gives their number. */
export async function purgeNotifications(db: Db, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const { read, unread } = notification_retention_days;
  let removed = 0;
  for (let i = 0; i < max_batches; i++) {
    const { count } = await db`
      delete from notifications where id in (
        select id from notifications
        where (read and created < ${before(read)}) or (not read and created < ${before(unread)})
        order by created limit ${batch})`;
    removed += count;
    if (count < batch) break;
  }
  return removed;
}
