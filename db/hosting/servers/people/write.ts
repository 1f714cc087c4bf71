import { countInvitation, notifyInvited } from '../../../catalogue/invitations/invitations.ts';
import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import type { ServerRecord } from '../read.ts';
import { type MemberRole, max_members, type ServerRight } from '../rights/rules.ts';
import { whyNotHave, whyNotSee } from '../rules.ts';
import { resend_after_ms, whyNotGrant, whyNotInvite } from './grant-rules.ts';

/** What people with the right `people` do, each in the caller's transaction. All refuse as `whyNotHave.people` says. */

interface Granted {
  role: MemberRole;
  rights: readonly ServerRight[];
}
interface Person {
  server_id: string;
  user_id: string;
}
interface MemberRow extends Granted {
  rights: ServerRight[];
  accepted: string | null;
  sent: string;
}

const memberRow = async (db: Db, { server_id, user_id }: Person): Promise<MemberRow | null> => {
  const [row] = await db<MemberRow[]>`
    select role, rights, accepted, sent from server_members where server_id = ${server_id} and user_id = ${user_id}`;
  return row ?? null;
};

const lock = (db: Db, actor: Actor, server_id: string, now: Date): Promise<ServerRecord> =>
  lockChangeableServer(db, actor, server_id, now, whyNotHave.people);

/**
 * Invites a person by name. Refuses `user_unknown`, as `whyNotInvite`, `whyNotGrant` and `countInvitation`, and
 * `server_people_too_many`.
 * Gives their id.
 */
export async function invitePerson(
  db: Db,
  actor: Actor,
  { server_id, username, role, rights }: Granted & { server_id: string; username: string },
  now: Date,
): Promise<string> {
  const { facts } = await lock(db, actor, server_id, now);
  const [user] = await db<{ id: string }[]>`
    select id from users where username = ${username.trim()}::text::citext
      and (suspended_until is null or suspended_until <= ${now}) for key share`;
  if (!user) throw new Refused('user_unknown', { id: username });
  const person = { server_id, user_id: user.id };
  const before = await memberRow(db, person);
  const standing = before && (before.accepted ? 'member' : 'invited');
  assertAllowed(whyNotInvite(actor, facts, { user_id: user.id, before: standing }), { username });
  assertAllowed(whyNotGrant(actor, facts, rights));
  const [count] = await db<[{ people: number }]>`
    select count(*)::int as people from server_members where server_id = ${server_id}`;
  assertAllowed(count.people >= max_members ? 'server_people_too_many' : null, { most: max_members });
  await countInvitation(db, actor, user.id, now);
  const given = { role, rights: [...new Set(rights)] };
  const row = { ...person, ...given, invited_by: actor.user_id, created: now, sent: now };
  await db`insert into server_members ${db(row)}`;
  const body = { server_id, role, invited_by: actor.user_id };
  await notifyInvited(db, user.id, { type: 'server_invite', body }, now);
  const data = { member_id: user.id, ...given };
  await recordEvent(db, { name: 'server.member_invited', actor_id: actor.user_id, server_id, data });
  return user.id;
}

/** Locks the server and loads a person on it whose rights the actor has too. Refuses `server_person_gone` besides. */
async function lockPerson(
  db: Db,
  actor: Actor,
  person: Person,
  now: Date,
): Promise<{ record: ServerRecord; member: MemberRow }> {
  const record = await lock(db, actor, person.server_id, now);
  const { facts } = record;
  assertAllowed(person.user_id === facts.owner_id ? 'server_person_owner' : null);
  const member = await memberRow(db, person);
  if (!member) throw new Refused('server_person_gone');
  assertAllowed(whyNotGrant(actor, facts, member.rights));
  return { record, member };
}

/** Sends an open invitation again. Refuses as `lockPerson`, `server_person_there` and `server_invitation_sent`. */
export async function resendInvitation(db: Db, actor: Actor, person: Person, now: Date): Promise<void> {
  const { member } = await lockPerson(db, actor, person, now);
  assertAllowed(member.accepted ? 'server_person_there' : null);
  const early = now.getTime() - new Date(member.sent).getTime() < resend_after_ms;
  assertAllowed(early ? 'server_invitation_sent' : null);
  await db`
    update server_members set sent = ${now} where server_id = ${person.server_id} and user_id = ${person.user_id}`;
  const body = { server_id: person.server_id, role: member.role, invited_by: actor.user_id };
  await notifyInvited(db, person.user_id, { type: 'server_invite', body }, now);
}

/**
 * Changes what a person, or an invited one, may do. Refuses as `lockPerson` and `whyNotGrant`, and `server_person_self`:
 * nobody changes their own rights.
 */
export async function changePerson(
  db: Db,
  actor: Actor,
  { role, rights, ...person }: Person & Granted,
  now: Date,
): Promise<void> {
  const { record, member } = await lockPerson(db, actor, person, now);
  assertAllowed(person.user_id === actor.user_id ? 'server_person_self' : null);
  assertAllowed(whyNotGrant(actor, record.facts, rights));
  const given = [...new Set(rights)].sort();
  if (member.role === role && JSON.stringify(given) === JSON.stringify([...member.rights].sort())) return;
  const { server_id, user_id } = person;
  await db`
    update server_members set role = ${role}, rights = ${given}
    where server_id = ${server_id} and user_id = ${user_id}`;
  const data = { member_id: user_id, role, rights: given };
  await recordEvent(db, { name: 'server.member_changed', actor_id: actor.user_id, server_id, data });
}

/**
 * Removes a person, or withdraws an invitation; removing oneself is `leaveServer`. Refuses as `lockPerson`. Their ways in
 * by SFTP end.
 */
export async function removePerson(db: Db, actor: Actor, person: Person, now: Date): Promise<void> {
  await lockPerson(db, actor, person, now);
  await forget(db, person);
  const { server_id, user_id } = person;
  const data = { member_id: user_id };
  await recordEvent(db, { name: 'server.member_removed', actor_id: actor.user_id, server_id, data });
}

/** Leaves a server of somebody else. Refuses `server_not_found`, also without being on it; owners cannot leave. */
export async function leaveServer(db: Db, actor: Actor, server_id: string, now: Date): Promise<void> {
  const person = { server_id, user_id: actor.user_id };
  const { facts } = await lockChangeableServer(db, actor, server_id, now, whyNotSee);
  assertAllowed(facts.owner_id === actor.user_id ? 'server_person_owner' : null);
  assertAllowed((await memberRow(db, person)) ? null : 'server_person_gone');
  await forget(db, person);
  await recordEvent(db, { name: 'server.member_left', actor_id: actor.user_id, server_id });
}

/** Deletes a person's row and what they signed in with by SFTP, which would count again if they came back. */
async function forget(db: Db, { server_id, user_id }: Person): Promise<void> {
  await db`delete from server_members where server_id = ${server_id} and user_id = ${user_id}`;
  await db`delete from sftp_passwords where server_id = ${server_id} and user_id = ${user_id}`;
  await db`delete from sftp_keys where server_id = ${server_id} and user_id = ${user_id}`;
}
