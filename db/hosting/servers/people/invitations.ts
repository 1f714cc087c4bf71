import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { scopeFor, whyNotAnswer } from '../rules.ts';

/** Invitations to servers, for those who are invited. */

/**
 * Answers the actor's invitation to a server. Refuses `scope_missing`, `server_not_invited`, also when the server is gone, and
 * accepting twice changes nothing.
 */
export async function answerInvitation(
  db: Db,
  actor: Actor,
  { server_id, answer }: { server_id: string; answer: 'accept' | 'decline' },
  now: Date,
): Promise<void> {
  const { user_id } = actor;
  assertAllowed(whyNotAnswer(actor), { scope: scopeFor.change });
  const [there] = await db`
    select 1 from servers where id = ${server_id} and lifecycle <> 'deprovisioning' for update`;
  const [row] = await db<{ accepted: string | null }[]>`
    select accepted from server_members where server_id = ${server_id} and user_id = ${user_id}`;
  if (!there || !row || (row.accepted && answer === 'decline')) throw new Refused('server_not_invited');
  await db`
    update notifications set read = true
    where user_id = ${user_id} and type = 'server_invite' and body->>'server_id' = ${server_id} and not read`;
  if (row.accepted) return;
  if (answer === 'accept')
    await db`
      update server_members set accepted = ${now} where server_id = ${server_id} and user_id = ${user_id}`;
  else await db`delete from server_members where server_id = ${server_id} and user_id = ${user_id}`;
  const name = answer === 'accept' ? 'server.member_joined' : 'server.member_declined';
  await recordEvent(db, { name, actor_id: user_id, server_id });
}
