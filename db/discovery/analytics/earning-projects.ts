import type { Db } from '../../platform/postgres/sql.ts';

/** Those of these projects whose views and downloads may earn money. */
export async function earningProjects(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db<Array<{ id: string }>>`
    select id from projects where id = any(${[...new Set(ids)]}) and monetization_status = 'monetized'`;
  return new Set(rows.map(({ id }) => id));
}
