import { type RefusalCode, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { accessTo } from '../teams/access.ts';
import type { Access } from '../teams/rules.ts';
import type { Donation } from './fields.ts';
import { type MonetizationStatus, type Revisions, type Status, whyNotSeeProject } from './rules.ts';

/** What writes need to know of a project, with its row locked until the commit. */
export interface LockedProject extends Revisions {
  id: string;
  slug: string;
  team: string;
  organization: string | null;
  status: Status;
  archived: boolean;
  approved: string | null;
  /** When it was public first. */
  first_public: string | null;
  queued: string | null;
  monetization_status: MonetizationStatus;
  client_side: string;
  server_side: string;
  donation_urls: Donation[];
  icon_key: string | null;
  raw_icon_key: string | null;
  access: Access;
}

/**
 * Locks a project and loads the actor's access. Refuses with `missing` when there is no such project, or it is hidden from
 * the actor, who must not learn which: before any permission is asked. Source: api-behaviours §4.
 */
export async function lockProject(
  tx: Db,
  project_id: string,
  actor: Actor,
  missing: RefusalCode = 'not_found',
): Promise<LockedProject> {
  const [row] = await tx<Array<Omit<LockedProject, 'access'>>>`
    select id, slug, team, organization, status, archived, approved, first_public, queued, monetization_status, client_side, server_side,
      donation_urls, icon_key, raw_icon_key, revision, field_revisions
    from projects where id = ${project_id} for no key update`;
  const absent = new Refused(missing, { id: project_id });
  if (!row) throw absent;
  const access = await accessTo(tx, project_id, actor);
  if (whyNotSeeProject(row.status, access)) throw absent;
  return { ...row, access };
}
