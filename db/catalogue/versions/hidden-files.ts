import type { Db } from '../../platform/postgres/sql.ts';
import { hiddenStatuses, type Status } from '../projects/rules.ts';
import { openStatuses, type VersionStatus } from './rules.ts';

/** A project whose files, or those of one version, only members and staff may load. */
export interface HiddenFiles {
  project_id: string;
  /** Null for all versions of the project. */
  version_id: string | null;
  /** What their addresses hold. */
  file_key: string;
}

/** What is hidden, of all projects or of these. */
export async function hiddenFilesOf(db: Db, project_ids: readonly string[] | null): Promise<HiddenFiles[]> {
  const hidden = hiddenStatuses as string[];
  const among = project_ids === null ? db`` : db`and p.id = any(${project_ids as string[]})`;
  return await db<HiddenFiles[]>`
    select p.id as project_id, null as version_id, p.file_key from projects p where p.status = any(${hidden}) ${among}
    union all select p.id, v.id, p.file_key from versions v join projects p on p.id = v.project_id
    where v.status in ('draft', 'scheduled', 'unknown') and p.status <> all(${hidden}) ${among}`;
}

/** Whether outsiders see neither the version nor its files. */
export const areFilesHidden = (row: { status: VersionStatus; project_status: Status }): boolean =>
  hiddenStatuses.includes(row.project_status) || !openStatuses.includes(row.status);
