import type { NewNotification } from '../../messages/notifications/rules.ts';
import { notify } from '../../messages/notifications/write.ts';
import { Refused } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** What invitations to teams, organizations and servers have in common: an invitation reaches people who did not ask for it. */

/** How many people somebody invites in a day (UTC) who are not their friends. */
export const strangers_per_day = 20;
/** Whoever is invited, removed and invited again is told once in this time. */
const told_again_after_ms = 3_600_000;

/**
 * Counts an invitation of `user_id` by the actor, in the caller's transaction. Refuses `invitation_blocked` when one of them
 * blocked the other, and `invitations_too_many`.
 */
export async function countInvitation(tx: Db, actor: Actor, user_id: string, now: Date): Promise<void> {
  const me = actor.user_id;
  const [found] = await tx<Array<{ blocked: boolean; friends: boolean }>>`
    select exists (select from blocks where (user_id = ${me} and blocked_id = ${user_id})
        or (user_id = ${user_id} and blocked_id = ${me})) as blocked,
      exists (select from friends where accepted and ((user_id = ${me} and friend_id = ${user_id})
        or (user_id = ${user_id} and friend_id = ${me}))) as friends`;
  if (isModerator(actor)) return;
  if (found!.blocked) throw new Refused('invitation_blocked');
  if (found!.friends) return;
  const day = now.toISOString().slice(0, 10);
  await tx`delete from invitation_counts where user_id = ${me} and day < ${day}::date`;
  const counted = await tx`
    insert into invitation_counts as c (user_id, day, invitations) values (${me}, ${day}, 1)
    on conflict (user_id, day) do update set invitations = c.invitations + 1
      where c.invitations < ${strangers_per_day}
    returning 1`;
  if (counted.length === 0) throw new Refused('invitations_too_many', { most: strangers_per_day });
}

type Invitation = Extract<NewNotification, { type: 'team_invite' | 'organization_invite' | 'server_invite' }>;

/** Notifies somebody that they are invited, unless they were told of the same invitation a short while ago. */
export async function notifyInvited(
  tx: Db,
  user_id: string,
  invitation: Invitation,
  now: Date,
): Promise<void> {
  const { type, body } = invitation;
  const since = new Date(now.getTime() - told_again_after_ms);
  const about = type === 'server_invite' ? 'server_id' : 'team_id';
  const id = (body as unknown as Record<string, string>)[about]!;
  const [told] = await tx`
    select 1 from notifications where user_id = ${user_id} and type = ${type}
      and body->>${about} = ${id} and created > ${since} limit 1`;
  if (!told) await notify(tx, [user_id], invitation);
}
