import type { Db } from '../../sql.ts';
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

/** How safe the files of a server are: when its newest backup was made, and when the next one is due by itself. */
export interface BackupSummary {
  last: string | null;
  /** Null where none is made by itself. */
  next: string | null;
}

/** For callers who may see the server. */
export async function backupSummary(db: Db, server_id: string): Promise<BackupSummary> {
  const [row] = await db<[BackupSummary]>`
    select
      (select created from server_backups where server_id = ${server_id} and state in ('done', 'unchanged')
        order by created desc limit 1) as last,
      (select due from server_backup_rules where server_id = ${server_id}) as next`;
  return { ...row };
}
