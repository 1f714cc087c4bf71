import type { Db } from '../../platform/postgres/sql.ts';
import { comesSecond } from './address.ts';
import { openStatuses } from './rules.ts';

/** What a link to a version needs. */
export interface VersionLabel {
  id: string;
  version_number: string;
  /** Whether its address ends in its id: another version comes first by its number. */
  by_id: boolean;
}

/** Those of the versions that everybody who sees their project may see, by id. */
export async function versionLabels(db: Db, ids: readonly string[]): Promise<Map<string, VersionLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await db<VersionLabel[]>`
    select v.id, v.version_number, ${comesSecond(db, db`v`)} as by_id from versions v
    where v.id = any(${[...new Set(ids)]}) and v.status = any(${openStatuses as string[]})`;
  return new Map(rows.map((row) => [row.id, row]));
}
