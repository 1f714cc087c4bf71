import type { Db } from '../../../platform/postgres/sql.ts';
import { dailyRetention, nextBackupDue } from './retention.ts';

/**
 * Daily backups of a server that is paid for, from its first day. One whose rules were set before, or that is gone, keeps what
 * it has: its owner may have turned them off.
 */
export async function beginDailyBackups(db: Db, server_id: string, now: Date): Promise<void> {
  const { every_hours, last, hourly, daily, weekly } = dailyRetention;
  const due = nextBackupDue(now, every_hours!, Math.random());
  await db`
    insert into server_backup_rules (server_id, every_hours, last, hourly, daily, weekly, due)
    select s.id, ${every_hours}::int, ${last}::int, ${hourly}::int, ${daily}::int, ${weekly}::int, ${due}::timestamptz
    from servers s where s.id = ${server_id}
    on conflict (server_id) do nothing`;
}
