import type { Db } from '../sql.ts';
import { openStatuses } from './rules.ts';

/** What a link to a version needs. */
export interface VersionLabel {
  id: string;
  version_number: string;
}

/** Those of the versions that everybody who sees their project may see, by id. */
export async function versionLabels(db: Db, ids: readonly string[]): Promise<Map<string, VersionLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await db<VersionLabel[]>`
    select id, version_number from versions
    where id = any(${[...new Set(ids)]}) and status = any(${openStatuses as string[]})`;
  return new Map(rows.map((row) => [row.id, row]));
}
