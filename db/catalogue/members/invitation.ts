import type { Db } from '../../platform/postgres/sql.ts';

/** What an invitation that waits for an answer offers. */
export interface OpenInvitation {
  team_id: string;
  role: string;
}

/** The user's open invitation into the team of a project or an organization, null without one. */
export async function openInvitation(
  db: Db,
  user_id: string,
  to: { project_id: string } | { organization_id: string },
): Promise<OpenInvitation | null> {
  const team =
    'project_id' in to
      ? db`select team from projects where id = ${to.project_id}`
      : db`select team_id from organizations where id = ${to.organization_id}`;
  const [row] = await db<OpenInvitation[]>`
    select team_id, role from team_members
    where user_id = ${user_id} and not accepted and team_id = (${team})`;
  return row ?? null;
}
