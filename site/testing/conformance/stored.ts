import type { Pool } from '#db/platform/postgres/sql.ts';
import type { AppServices } from '../../platform/context.ts';
import { onDisk } from '../versions.ts';

/** The number of rows of each table, and what is on the disk; limits and marks of last use do not count. */
export async function stored(
  sql: Pool,
  services: AppServices,
): Promise<{ rows: Record<string, number>; files: string[] }> {
  const tables = await sql<Array<{ name: string }>>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits', 'download_windows')`;
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql<Array<{ n: number }>>`select count(*)::int as n from ${sql(name)}`;
    rows[name] = row!.n;
  }
  return { rows, files: await onDisk(services) };
}
