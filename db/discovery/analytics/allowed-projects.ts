import { accessToMany, membership } from '../../catalogue/teams/access.ts';
import { type Access, type Permission, whyNotActInTeam } from '../../catalogue/teams/rules.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { maxProjects } from './request-shape.ts';

/**
 * Those of these projects whose analytics the actor may see; without ids, those of all teams and organizations that the
 * actor joined, the most downloaded first, at most 1,000. One statement. Source: api-v3 §3.13.
 */
export const allowedProjects = async (db: Db, ids: readonly string[], actor: Actor): Promise<string[]> =>
  (await allowedTo(db, ids, actor, ['VIEW_ANALYTICS'])).VIEW_ANALYTICS;

/** The same for those that may be seen by each of some permissions. */
export async function allowedTo<P extends Permission>(
  db: Db,
  ids: readonly string[],
  actor: Actor,
  permissions: readonly P[],
): Promise<Record<P, string[]>> {
  const access =
    ids.length > 0 ? await accessToMany(db, [...new Set(ids)], actor) : await accessToJoined(db, actor);
  const allowed = permissions.map((permission) => [
    permission,
    [...access].filter(([, one]) => whyNotActInTeam(one, permission) === null).map(([id]) => id),
  ]);
  return Object.fromEntries(allowed) as Record<P, string[]>;
}

async function accessToJoined(db: Db, { user_id, role }: Actor): Promise<Map<string, Access>> {
  const rows = await db<Array<Omit<Access, 'role'> & { id: string }>>`
    with joined as (select team_id from team_members where user_id = ${user_id} and accepted)
    select p.id, ${membership(db, 'mine')} as project, ${membership(db, 'ours')} as organization
    from (
      select id from projects where team in (select team_id from joined)
      union
      select id from projects
      where organization in (select id from organizations where team_id in (select team_id from joined))
    ) own
    join projects p on p.id = own.id
    left join team_members mine on mine.team_id = p.team and mine.user_id = ${user_id}
    left join organizations o on o.id = p.organization
    left join team_members ours on ours.team_id = o.team_id and ours.user_id = ${user_id}
    order by p.downloads desc, p.id limit ${maxProjects}`;
  return new Map(rows.map(({ id, project, organization }) => [id, { role, project, organization }]));
}
