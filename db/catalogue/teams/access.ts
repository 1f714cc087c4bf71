import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Access, anonymous } from './rules.ts';

/** A membership as JSON, null where the outer join found none; `row` is the alias of a `team_members` row. */
export const membership = (db: Db, row: string) => db`
  case when ${db(row)}.user_id is not null then json_build_object('is_owner', ${db(row)}.is_owner,
    'accepted', ${db(row)}.accepted, 'permissions', ${db(row)}.permissions,
    'organization_permissions', ${db(row)}.organization_permissions) end`;

/** The actor's access to each project; unknown ids are left out. One round trip, none for anonymous users. */
export async function accessToMany(
  db: Db,
  project_ids: readonly string[],
  actor: Actor | null,
): Promise<Map<string, Access>> {
  if (!actor) return new Map(project_ids.map((id) => [id, anonymous]));
  if (project_ids.length === 0) return new Map();
  const rows = await db<Array<Omit<Access, 'role'> & { id: string }>>`
    select p.id, ${membership(db, 'mine')} as project, ${membership(db, 'ours')} as organization
    from projects p
    left join team_members mine on mine.team_id = p.team and mine.user_id = ${actor.user_id}
    left join organizations o on o.id = p.organization
    left join team_members ours on ours.team_id = o.team_id and ours.user_id = ${actor.user_id}
    where p.id = any(${project_ids as string[]})`;
  return new Map(
    rows.map(({ id, project, organization }) => [id, { role: actor.role, project, organization }]),
  );
}

/** The actor's access to one project; anonymous access when it does not exist. */
export async function accessTo(db: Db, project_id: string, actor: Actor | null): Promise<Access> {
  const found = await accessToMany(db, [project_id], actor);
  return found.get(project_id) ?? { ...anonymous, role: actor?.role ?? null };
}
