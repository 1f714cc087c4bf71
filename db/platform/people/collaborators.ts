import type { ReadContext } from '../read-context.ts';
import { usersByIdsOrNames } from './read.ts';
import type { User } from './shape.ts';

/** Maximum number of collaborators on a profile. */
const max_collaborators = 10;

/**
 * Collaborators of a user, most shared teams first: teams of searchable projects and of organizations. Both users must
 * have accepted their membership. At most ten, in two queries.
 */
export async function collaboratorsOf(context: ReadContext, user_id: string): Promise<User[]> {
  const rows = await context.sql<Array<{ user_id: string }>>`
    select theirs.user_id from team_members own
    join team_members theirs on theirs.team_id = own.team_id and theirs.accepted and theirs.user_id <> own.user_id
    where own.user_id = ${user_id} and own.accepted
      and (exists (select from projects p where p.team = own.team_id and p.status = 'approved')
        or exists (select from organizations o where o.team_id = own.team_id))
    group by theirs.user_id order by count(*) desc, theirs.user_id limit ${max_collaborators}`;
  return usersByIdsOrNames(
    context,
    rows.map((row) => row.user_id),
  );
}
