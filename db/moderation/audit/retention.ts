import type { Db } from '../../platform/postgres/sql.ts';

/** Retention of the audit log, in days. */
export const audit_retention_days = 365;
const batch_size = 10_000;

/** Removes entries older than the retention at `now`, in batches. Gives their number. */
export async function purgeAuditLog(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - audit_retention_days * 86_400_000);
  for (let removed = 0; ; ) {
    const { count } = await db`
      delete from audit_log where event_id in (
        select event_id from audit_log where at < ${before} order by at limit ${batch_size})`;
    removed += count;
    if (count < batch_size) return removed;
  }
}
