import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { membership } from '../teams/access.ts';
import { type Access, anonymous } from '../teams/rules.ts';
import { visibilityColumns } from './read.ts';
import { type Visibility, whyNotSeeOrganization } from './rules.ts';

/**
 * The actor's access to an organization (its row in `organization`), for any action on it; null when it does not exist or
 * is hidden from the actor, who must not learn which. Within a transaction the organization stays until the commit.
 * Source: api-behaviours §4.
 */
export async function accessToOrganization(
  db: Db,
  organization_id: string,
  actor: Actor,
): Promise<Access | null> {
  const [row] = await db<Array<Visibility & Pick<Access, 'organization'>>>`
    select ${membership(db, 'ours')} as organization, ${visibilityColumns(db, actor)} from organizations o
    left join team_members ours on ours.team_id = o.team_id and ours.user_id = ${actor.user_id}
    where o.id = ${organization_id} for key share of o`;
  if (!row || whyNotSeeOrganization(row, actor)) return null;
  return { ...anonymous, role: actor.role, organization: row.organization };
}
