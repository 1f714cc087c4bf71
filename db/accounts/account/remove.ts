import { picturesOf, recordChange } from '../../catalogue/collections/write.ts';
import { addMessages } from '../../messages/threads/write.ts';
import { endPlus } from '../../money/billing/plus-orders/write.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent, recordEvents } from '../../platform/events/write.ts';
import { type Actor, whyNotDeleteUser, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { exportsOf } from '../data-export/write.ts';
import { iconsOfClient } from '../oauth/icon.ts';
import { avatarsOf } from './avatar.ts';
import { ensureGhost } from './ghost.ts';
import { type OpenHosting, whyNotLeaveHosting } from './rules.ts';

/**
 * Deletes an account with sessions and tokens; its name is kept from others if its address was verified. What others need stays with the Ghost user: projects
 * and organizations it owned, versions, images of texts, settled orders. Plus ends with the account. Gives the storage
 * prefixes that the caller removes after the commit. Refuses `not_found`, `ghost_user`, `not_yours`, `proof_required`,
 * `user_has_servers`, `user_has_payouts`. Source: api-v2 §7;
 * api-behaviours §13.
 */
export async function removeUser(tx: Db, actor: Actor, user_id: string, now: Date): Promise<string[]> {
  // a stronger lock than that of edits: nobody refers to the user anymore until the commit
  const [user] = await tx<Array<{ id: string; username: string }>>`
    select id, username from users where id = ${user_id} for update`;
  if (!user) throw new Refused('not_found', { id: user_id });
  assertAllowed(whyNotDeleteUser(user, actor) ?? whyNotProved(actor, now));
  await endPlus(tx, user_id, now);
  await refuseHosting(tx, user_id);
  await handOverPayouts(tx, user_id);
  const ghost = await ensureGhost(tx);
  const project_ids = await handOverTeams(tx, { user, ghost, actor, now });
  await unfollowAll(tx, user_id, actor);
  const collections = await dropCollections(tx, user_id, actor);
  await handOverTexts(tx, user_id, ghost);
  await handOverPayments(tx, user_id, ghost, now);
  const applications = await tx<Array<{ id: string }>>`
    select id from oauth_clients where created_by = ${user_id}`;
  await tx`delete from users where id = ${user_id}`; // and with it all that is the user's alone
  await recordEvent(tx, {
    name: 'user.deleted',
    actor_id: actor.user_id,
    user_id,
    data: { username: user.username, project_ids },
  });
  return [
    avatarsOf(user_id),
    exportsOf(user_id),
    ...collections,
    ...applications.map(({ id }) => iconsOfClient(id)),
  ];
}

/**
 * `removeUser` for one's own account, by somebody who typed its name. Refuses `username_mismatch` and what `removeUser`
 * does.
 */
export async function removeOwnAccount(tx: Db, actor: Actor, typed: string, now: Date): Promise<string[]> {
  assertAllowed(whyNotProved(actor, now)); // before anything that was typed is judged
  if (typed.trim().toLowerCase() !== actor.username.toLowerCase()) throw new Refused('username_mismatch');
  return await removeUser(tx, actor, actor.user_id, now);
}

async function refuseHosting(tx: Db, user_id: string): Promise<void> {
  const [open] = await tx<[OpenHosting]>`
    select (select count(*) from servers where owner_id = ${user_id}) as servers,
      (select count(*) from orders where user_id = ${user_id} and state = 'pending') as orders,
      (select count(*) from subscriptions where user_id = ${user_id} and state <> 'ended') as subscriptions,
      (select count(*) from charges where user_id = ${user_id} and state in ('open', 'waiting')) as charges`;
  const items = Object.entries(open)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count}`);
  assertAllowed(whyNotLeaveHosting(open), { items: items.join(', ') });
}

/**
 * Payouts stay for the books, without where they went. Nobody goes while one is on its way: it may come back. What was not
 * withdrawn stays in the ledger under the account that earned it.
 */
async function handOverPayouts(tx: Db, user_id: string): Promise<void> {
  const open = await tx`select 1 from payouts where user_id = ${user_id} and settled is null limit 1`;
  if (open.length > 0) throw new Refused('user_has_payouts');
  const ghost = await ensureGhost(tx);
  await tx`
    update payouts set user_id = ${ghost}, op_id = id, address = '', receiver = '' where user_id = ${user_id}`;
}

/** Owned teams go to the Ghost user, other memberships end with the user. Gives the projects of the owned teams. */
async function handOverTeams(
  tx: Db,
  {
    user,
    ghost,
    actor,
    now,
  }: { user: { id: string; username: string }; ghost: string; actor: Actor; now: Date },
): Promise<string[]> {
  const actor_id = actor.user_id;
  const teams = await tx<Array<{ team_id: string; is_owner: boolean }>>`
    select team_id, is_owner from team_members where user_id = ${user.id} order by team_id`;
  const owned = teams.filter(({ is_owner }) => is_owner).map(({ team_id }) => team_id);
  const projects = await tx<Array<{ id: string; status: string; thread_id: string }>>`
    select id, status, thread_id from projects where team = any(${owned}) order by id for no key update`;
  await tx`update team_members set user_id = ${ghost} where user_id = ${user.id} and is_owner`;
  await tx`delete from team_members where user_id = ${user.id}`;
  const waiting = projects.filter(({ status }) => status === 'processing');
  await tx`update projects set status = 'rejected' where id = any(${waiting.map(({ id }) => id)})`;
  const body = { body: `The owner ${user.username} deleted their account.`, replying_to: null };
  const note = { type: 'text', author_id: null, private: true, body } as const;
  await addMessages(
    tx,
    projects.map(({ thread_id }) => thread_id),
    note,
    now,
  );
  await recordEvents(tx, [
    ...waiting.map(({ id: project_id }) => ({
      name: 'project.moved' as const,
      actor_id,
      project_id,
      data: { from: 'processing', to: 'rejected' },
    })),
    ...teams.map(({ team_id, is_owner: owner }) => ({
      name: 'team.changed' as const,
      actor_id,
      team_id,
      data: { owner },
    })),
  ]);
  return projects.map(({ id }) => id);
}

async function unfollowAll(tx: Db, user_id: string, { user_id: actor_id }: Actor): Promise<void> {
  const followed = await tx<Array<{ id: string }>>`
    select p.id from projects p join follows f on f.project_id = p.id
    where f.user_id = ${user_id} order by p.id for no key update of p`;
  if (followed.length === 0) return;
  const project_ids = followed.map(({ id }) => id);
  await tx`delete from follows where user_id = ${user_id}`;
  await tx`update projects set followers = greatest(followers - 1, 0) where id = any(${project_ids})`;
  await recordEvent(tx, { name: 'project.counted', actor_id, data: { project_ids } });
}

/** Gives the storage prefixes of their images. */
async function dropCollections(tx: Db, user_id: string, actor: Actor): Promise<string[]> {
  const dropped = await tx<
    Array<{ id: string }>
  >`delete from collections where user_id = ${user_id} returning id`;
  for (const { id } of dropped) await recordChange(tx, 'deleted', { id, user: user_id }, actor);
  return dropped.map(({ id }) => picturesOf(id));
}

/** What the user wrote: reports of their own go, messages lose their text, the rest is the Ghost user's. */
async function handOverTexts(tx: Db, user_id: string, ghost: string): Promise<void> {
  await tx`delete from reports where reporter = ${user_id}`; // and with each its thread
  await tx`update reports set user_id = ${ghost} where user_id = ${user_id}`;
  await tx`
    delete from images where thread_message_id in (
      select id from thread_messages where author_id = ${user_id} and type = 'text')`;
  await tx`
    update thread_messages set author_id = ${ghost}, type = 'deleted', body = '{}'
    where author_id = ${user_id} and type = 'text'`;
  await tx`update thread_messages set author_id = ${ghost} where author_id = ${user_id}`;
  await tx`update versions set author_id = ${ghost} where author_id = ${user_id}`;
  await tx`update images set owner_id = ${ghost} where owner_id = ${user_id}`;
}

/** Settled payments stay for the books, without the means of payment. */
async function handOverPayments(tx: Db, user_id: string, ghost: string, now: Date): Promise<void> {
  await tx`update charges set user_id = ${ghost}, method_id = null where user_id = ${user_id}`;
  await tx`
    update subscriptions set user_id = ${ghost}, method_id = null, cancel_note = null where user_id = ${user_id}`;
  await tx`update orders set user_id = ${ghost} where user_id = ${user_id}`;
  await tx`delete from payment_methods where user_id = ${user_id}`;
  // the job of billing tells the processor, which may not answer now
  await tx`
    insert into forgotten_customers (processor, reference, since)
    select processor, reference, ${now} from payment_customers where user_id = ${user_id} on conflict do nothing`;
  await tx`delete from payment_customers where user_id = ${user_id}`;
}
