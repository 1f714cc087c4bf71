import { notify } from '../notifications/write.ts';
import { ghostId } from '../people/rules.ts';
import type { Db } from '../sql.ts';
import type { LockedTeam } from './locked-team.ts';

/** What each member gets of the revenue of a team, from 0 to 1, by user id. Everybody gets the same where nobody has a weight. */
type Shares = Map<string, number>;

/** How revenue is divided (`billing/revenue/divide.ts`) among the members of one team that accepted. */
async function sharesOf(tx: Db, team_id: string): Promise<Shares> {
  const rows = await tx<Array<{ user_id: string; weight: number }>>`
    select user_id, payouts_split::float8 as weight from team_members
    where team_id = ${team_id} and accepted and user_id <> ${ghostId}`;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  return new Map(rows.map(({ user_id, weight }) => [user_id, total > 0 ? weight / total : 1 / rows.length]));
}

/**
 * Runs a change of a locked team and notifies everybody whose share of the revenue is another one afterwards, but for
 * `actor_id`, who knows: nobody's share shrinks behind their back.
 */
export async function notifyingShares(
  tx: Db,
  { id: team_id, project_id, organization_id }: LockedTeam,
  actor_id: string,
  change: () => Promise<void>,
): Promise<void> {
  const before = await sharesOf(tx, team_id);
  await change();
  const after = await sharesOf(tx, team_id);
  const about = project_id ? { project_id } : { organization_id: organization_id! };
  for (const user_id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(user_id) ?? 0, after.get(user_id) ?? 0];
    if (user_id === actor_id || was === is) continue;
    const body = { ...about, before: was, after: is };
    await notify(tx, [user_id], { type: 'share_changed', body }, `share ${team_id}`);
  }
}
