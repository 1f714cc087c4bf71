import type { Db } from '../../../platform/postgres/sql.ts';

/** What stands before the archive of an export; null for any other backup. */
export async function headOf(db: Db, backup_id: string): Promise<Buffer | null> {
  const [row] = await db<{ head: Buffer }[]>`select head from server_exports where backup_id = ${backup_id}`;
  return row?.head ?? null;
}
