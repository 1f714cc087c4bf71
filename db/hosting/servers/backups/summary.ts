import type { Db } from '../../../platform/postgres/sql.ts';

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
