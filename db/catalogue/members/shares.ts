import { notify } from '../../messages/notifications/write.ts';
import { ghostId } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { LockedTeam } from './locked-team.ts';

/** What each member gets of the revenue of a team, from 0 to 1, by user id. Everybody gets the same where nobody has a weight. */
type Shares = Map<string, number>;

/**
 * How revenue is divided (`billing/revenue/divide.ts`) among the members of one team that accepted. Nobody has a share by the team of a
 * project without weights whose organization has some: those count then.
 */
async function sharesOf(tx: Db, { id: team_id, of, organization_id }: LockedTeam): Promise<Shares> {
  const rows = await tx<Array<{ user_id: string; weight: number }>>`
    select user_id, payouts_split::float8 as weight from team_members
    where team_id = ${team_id} and accepted and user_id <> ${ghostId}`;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 && of === 'project' && organization_id !== null) {
    const weights = await tx`
      select 1 from organizations o join team_members m on m.team_id = o.team_id
      where o.id = ${organization_id} and m.accepted and m.payouts_split > 0 and m.user_id <> ${ghostId} limit 1`;
    if (weights.length > 0) return new Map();
  }
  return new Map(rows.map(({ user_id, weight }) => [user_id, total > 0 ? weight / total : 1 / rows.length]));
}

/**
 * Runs a change of a locked team and notifies everybody whose share of the revenue is another one afterwards, but for
 * `actor_id`, who knows: nobody's share shrinks behind their back.
 */
export async function notifyingShares(
  tx: Db,
  team: LockedTeam,
  actor_id: string,
  change: () => Promise<void>,
): Promise<void> {
  const { id: team_id, project_id, organization_id } = team;
  const before = await sharesOf(tx, team);
  await change();
  const after = await sharesOf(tx, team);
  const about = project_id ? { project_id } : { organization_id: organization_id! };
  for (const user_id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(user_id) ?? 0, after.get(user_id) ?? 0];
    if (user_id === actor_id || was === is) continue;
    const body = { ...about, before: was, after: is };
    await notify(tx, [user_id], { type: 'share_changed', body }, `share ${team_id}`);
  }
}
