import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** A file by the parts of its address. */
export interface FileAddress {
  project_id: string;
  version_id: string;
  filename: string;
}

/**
 * The version that was downloaded: by its file's address, else by project and number or id; of several with one number,
 * the newest. Refuses `version_unknown`. Source: api-behaviours §10.
 */
export async function downloadedVersion(
  db: Db,
  { file, project_id, name }: { file: FileAddress | null; project_id: string; name: string },
): Promise<{ project_id: string; version_id: string }> {
  const [row] = await db<Array<{ project_id: string; version_id: string }>>`
    select project_id, version_id from (
      select v.project_id, v.id as version_id, 0 as turn, v.date_published
      from versions v join files f on f.version_id = v.id
      where v.id = ${file?.version_id ?? ''} and v.project_id = ${file?.project_id ?? ''}
        and f.filename = ${file?.filename ?? ''}
      union all
      select project_id, id, case when id = ${name} then 1 else 2 end, date_published from versions
      where project_id = ${project_id} and (id = ${name} or version_number = ${name})
    ) found order by turn, date_published desc limit 1`;
  if (!row) throw new Refused('version_unknown');
  return row;
}

/** Refuses `game_version_unknown`. */
export async function assertGameVersion(db: Db, game_version: string | undefined): Promise<void> {
  if (game_version === undefined) return;
  const [row] = await db`select 1 from game_versions where version = ${game_version}`;
  if (!row) throw new Refused('game_version_unknown', { game_version });
}
