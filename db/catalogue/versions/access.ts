import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import { accessTo } from '../teams/access.ts';
import type { Access } from '../teams/rules.ts';
import { type VersionStatus, whyNotSeeVersion } from './rules.ts';

/**
 * The project of a version and the actor's access to it, for writes; null when the version does not exist or is hidden
 * from the actor, who must not learn which. Source: api-behaviours §4.
 */
export async function accessToVersion(
  db: Db,
  version_id: string,
  actor: Actor,
): Promise<{ project_id: string; access: Access } | null> {
  const [version] = await db<Array<{ project_id: string; status: VersionStatus; project_status: Status }>>`
    select v.project_id, v.status, p.status as project_status
    from versions v join projects p on p.id = v.project_id where v.id = ${version_id}`;
  if (!version) return null;
  const { project_id, status, project_status } = version;
  const access = await accessTo(db, project_id, actor);
  const why = whyNotSeeProject(project_status, access) ?? whyNotSeeVersion(status, access);
  return why === null ? { project_id, access } : null;
}
