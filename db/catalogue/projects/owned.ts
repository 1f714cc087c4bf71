import type { Db } from '../../platform/postgres/sql.ts';

/** How many projects the user owns, also through organizations that the user owns. Source: api-v2 §1.8. */
export async function ownedProjects(db: Db, user_id: string): Promise<number> {
  const [row] = await db<Array<{ owned: number }>>`
    with own as (select team_id from team_members where user_id = ${user_id} and is_owner)
    select count(*) as owned from projects
    where team in (select team_id from own)
      or organization in (select id from organizations where team_id in (select team_id from own))`;
  return row!.owned;
}
