import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { storedEmail, storedForms } from '../../platform/people/email-address.ts';
import { type Actor, whyNotEmail, whyNotProved, whyNotUsername } from '../../platform/people/rules.ts';
import { addUser } from '../../platform/people/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { factorsOf } from '../sign-in/read.ts';
import { whyNotUnlink } from './rules.ts';

/** An account at a provider, as the provider named it just now. */
export interface ProviderIdentity {
  provider: string;
  issuer: string;
  subject: string;
  /** The name there. */
  name: string | null;
  /** An e-mail address that the provider says is theirs. */
  email: string | null;
}

/** The id of the user who signs in with this account, noting that they did; null when nobody does. */
export async function userOfLinkedAccount(
  db: Db,
  { provider, issuer, subject, name }: ProviderIdentity,
  now: Date,
): Promise<string | null> {
  const [row] = await db<Array<{ user_id: string }>>`
    update linked_accounts set last_used = ${now}, name = ${storable(name)}
    where provider = ${provider} and issuer = ${issuer} and subject = ${subject} returning user_id`;
  return row?.user_id ?? null;
}

/**
 * Whether an account here has the e-mail address that the provider named. It is never linked by that alone: whoever controls
 * the account there would get the one here.
 */
export async function isAddressKnown(db: Db, identity: ProviderIdentity): Promise<boolean> {
  const email = addressOf(identity);
  if (email === null) return false;
  const [row] =
    await db`select 1 from users where email = any(${storedForms(email)}::text[]::citext[]) limit 1`;
  return row !== undefined;
}

/**
 * Links the account to the actor, who is told by mail. Refuses `proof_required`, `provider_linked_elsewhere` (somebody
 * else signs in with it) and `provider_already_linked` (the actor has another one of this provider).
 */
export async function linkAccount(
  tx: Db,
  mailing: Mailing,
  {
    actor,
    identity,
    provider_name,
    now,
  }: { actor: Actor; identity: ProviderIdentity; provider_name: string; now: Date },
): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  await addLink(tx, actor.user_id, identity, now);
  await queueMail(tx, mailing, {
    ...{ template: 'auth_provider_added', to: null, user_id: actor.user_id, now },
    data: { username: actor.username, provider: provider_name },
  });
  await recordEvent(tx, {
    ...{ name: 'user.edited', actor_id: actor.user_id, user_id: actor.user_id },
    data: { fields: ['auth_providers'] },
  });
}

async function addLink(tx: Db, user_id: string, identity: ProviderIdentity, now: Date): Promise<void> {
  const { provider, issuer, subject, name } = identity;
  // simultaneous links of one user wait for each other
  await tx`select 1 from users where id = ${user_id} for update`;
  const [own] = await tx`select 1 from linked_accounts where user_id = ${user_id} and provider = ${provider}`;
  if (own) throw new Refused('provider_already_linked');
  const row = { provider, issuer, subject, user_id, name: storable(name), created: now, last_used: now };
  const added = await tx`
    insert into linked_accounts ${tx(row)} on conflict (provider, issuer, subject) do nothing`;
  if (added.count === 0) throw new Refused('provider_linked_elsewhere');
}

/**
 * Removes the actor's account at `provider`, who is told by mail. Refuses `proof_required`, `provider_not_linked`,
 * `last_sign_in_method`. Source: api-v3 §4 (DELETE provider).
 */
export async function unlinkAccount(
  tx: Db,
  mailing: Mailing,
  {
    actor,
    provider,
    provider_name,
    now,
  }: { actor: Actor; provider: string; provider_name: string; now: Date },
): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id, username } = actor;
  // simultaneous removals of one user wait for each other
  await tx`select 1 from users where id = ${user_id} for update`;
  assertAllowed(whyNotUnlink(await factorsOf(tx, user_id), provider));
  await tx`delete from linked_accounts where user_id = ${user_id} and provider = ${provider}`;
  await queueMail(tx, mailing, {
    ...{ template: 'auth_provider_removed', to: null, user_id, now },
    data: { username, provider: provider_name },
  });
  await recordEvent(tx, {
    ...{ name: 'user.edited', actor_id: user_id, user_id },
    data: { fields: ['auth_providers'] },
  });
}

/**
 * A new user who signs in with the account, without a password; their address is the one the provider vouched for. Gives
 * the id. Refuses `username_malformed`, `username_taken`, `email_taken`, `provider_linked_elsewhere`.
 */
export async function addLinkedUser(
  tx: Db,
  { username, identity, now }: { username: string; identity: ProviderIdentity; now: Date },
): Promise<string> {
  assertAllowed(whyNotUsername(username));
  const email = addressOf(identity);
  const user_id = await addUser(tx, {
    username,
    email,
    password_hash: null,
    role: 'developer',
    created: now,
  });
  await addLink(tx, user_id, identity, now);
  return user_id;
}

/** What a provider says, as Postgres takes it and people can read it. */
const storable = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .toWellFormed()
        .replace(/\p{Cc}/gu, '')
        .slice(0, 255);

/** The address that the provider vouched for, when it is one that users may have. */
const addressOf = ({ email: given }: ProviderIdentity): string | null => {
  const email = given !== null && storable(given) === given ? storedEmail(given) : null;
  return email !== null && whyNotEmail(email) === null ? email : null;
};
