import { carryNewsletter, subscribeVerified } from '../../messages/mail/newsletter.ts';
import { type Mailing, mailMode, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { endFlowsOf, openFlow, readFlow, takeFlow } from '../../platform/flows/write.ts';
import { storedEmail, storedForms } from '../../platform/people/email-address.ts';
import {
  type Actor,
  accountOf,
  ghostId,
  whyNotEmail,
  whyNotProved,
  whyNotRankUser,
} from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** The address of an account. */
export interface AccountEmail {
  email: string | null;
  email_verified: boolean;
  /** Since when its mail server refuses mails for it (RFC 3339), and what it said; null while it takes them. */
  email_refused: string | null;
  email_answer: string | null;
}

/** The address of a user. */
export async function emailOf(db: Db, user_id: string): Promise<AccountEmail> {
  const [row] = await db<[AccountEmail]>`
    select email, email_verified, email_refused, email_answer from users where id = ${user_id}`;
  return row;
}

interface Owner {
  username: string;
  email: string | null;
  email_verified: boolean;
}

async function lockOwner(tx: Db, user_id: string): Promise<Owner> {
  const [row] = await tx<Owner[]>`
    select username, email, email_verified from users where id = ${user_id} for no key update`;
  if (!row || user_id === ghostId) throw new Refused('not_found');
  return row;
}

interface NewLink {
  user_id: string;
  /** Whether the verified address also gets the newsletter. */
  newsletter?: boolean;
  /** The language of the mail; that of the user's preferences by default. */
  locale?: string;
  /** The local path that the verified user goes on at. */
  redirect?: string | null;
  now: Date;
}

/**
 * Mails the link that verifies the address of a user; earlier links end. Does nothing without an address, or where this
 * site cannot send mail.
 */
async function sendVerification(
  tx: Db,
  mailing: Mailing,
  { user_id, newsletter = false, locale, redirect = null, now }: NewLink,
): Promise<void> {
  const { username, email } = await lockOwner(tx, user_id);
  if (email === null || mailMode(mailing.settings) === 'off') return;
  await endFlowsOf(tx, user_id, ['verify_email']);
  const secret = await openFlow(tx, 'verify_email', { user_id, data: { email, newsletter }, now });
  const link = `/auth/verify-email?${new URLSearchParams({ flow: secret, ...(redirect && { redirect }) })}`;
  await queueMail(tx, mailing, {
    ...{ template: 'verify_email', to: email, user_id, data: { username, link }, now },
    ...(locale && { locale }),
  });
}

/**
 * Makes a new account known to its address: it is verified by a link. Where this site cannot send mail it stays unverified
 * until staff vouch for it. `newsletter`: whether its owner asked for it while signing up.
 */
export async function startAddress(
  tx: Db,
  mailing: Mailing,
  { user_id, newsletter, locale, redirect, now }: NewLink,
): Promise<void> {
  await tx`update users set email_verified = false where id = ${user_id}`;
  await sendVerification(tx, mailing, {
    ...{ user_id, newsletter, now },
    ...(locale && { locale }),
    ...(redirect && { redirect }),
  });
}

/**
 * Changes the address of the actor. It has to be verified again; the old one is told.
 * Refuses `proof_required`, `email_malformed`, `email_taken`, `email_same`. Source: api-v3 §4 (PATCH email).
 */
export async function changeEmail(
  tx: Db,
  mailing: Mailing,
  { actor, email: given, now }: { actor: Actor; email: string; now: Date },
): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  const email = storedEmail(given);
  assertAllowed(whyNotEmail(email));
  const { user_id } = actor;
  const owner = await lockOwner(tx, user_id);
  if (owner.email === email) throw new Refused('email_same');
  const [taken] =
    await tx`select 1 from users where email = any(${storedForms(email)}::text[]::citext[]) and id <> ${user_id} limit 1`;
  if (taken) throw new Refused('email_taken');
  const unknown = { email_verified: false, email_vouched: false, email_refused: null, email_answer: null };
  await tx`
    update users set ${tx({ email, ...unknown })}
    where id = ${user_id}`;
  // what was mailed to the old address opens nothing anymore
  await endFlowsOf(tx, user_id, ['verify_email', 'reset_password']);
  if (owner.email !== null)
    await queueMail(tx, mailing, {
      template: 'email_changed',
      to: owner.email,
      is_proven: owner.email_verified,
      user_id,
      data: { username: owner.username, new_email: email },
      now,
    });
  await sendVerification(tx, mailing, { user_id, now });
  await recordEvent(tx, {
    name: 'user.edited',
    actor_id: user_id,
    user_id,
    data: { fields: ['email'] },
  });
}

/**
 * Mails the link again. Refuses `no_email`, `email_verified_before`, and `mail_off` where this site cannot send mail.
 * Source: api-v3 §4 (POST email/resend_verify).
 */
export async function resendVerification(
  tx: Db,
  mailing: Mailing,
  { actor: { user_id }, redirect = null, now }: { actor: Actor; redirect?: string | null; now: Date },
): Promise<void> {
  const { email, email_verified } = await lockOwner(tx, user_id);
  if (email === null) throw new Refused('no_email');
  if (email_verified) throw new Refused('email_verified_before');
  if (mailMode(mailing.settings) === 'off') throw new Refused('mail_off');
  await sendVerification(tx, mailing, { user_id, redirect, now });
}

/**
 * Verifies the address of an account by hand, of which staff or the operator know that it is its owner's. Gives it. Refuses
 * `admins_only`, `proof_required`, `not_found`, `no_email`, `email_verified_before`, `email_changed_meanwhile` when it is not
 * `email` anymore.
 */
export async function vouchForEmail(
  tx: Db,
  { user_id, email: read, actor, now }: { user_id: string; email: string | null; actor: Actor; now: Date },
): Promise<string> {
  assertAllowed(whyNotRankUser(actor));
  const account = accountOf(actor);
  if (account !== null) assertAllowed(whyNotProved(actor, now));
  const { email, email_verified } = await lockOwner(tx, user_id);
  if (email === null) throw new Refused('no_email');
  if (read !== null && read !== email) throw new Refused('email_changed_meanwhile');
  if (email_verified) throw new Refused('email_verified_before');
  await tx`update users set email_verified = true, email_vouched = true where id = ${user_id}`;
  await endFlowsOf(tx, user_id, ['verify_email']);
  await carryNewsletter(tx, user_id);
  await recordEvent(tx, { name: 'user.edited', actor_id: account, user_id, data: { email: 'vouched' } });
  return email;
}

/** The address that a link would verify; null when the link leads nowhere. */
export async function emailOfLink(db: Db, flow: string, now: Date): Promise<string | null> {
  const found = await readFlow(db, 'verify_email', flow, now);
  return found ? String(found.data.email) : null;
}

/**
 * Verifies the address that the link was mailed to. Refuses `flow_invalid`: unknown, used, expired, or of an address that
 * is not that of the account anymore. Source: api-v3 §4 (POST email/verify).
 */
export async function verifyEmail(tx: Db, { flow, now }: { flow: string; now: Date }): Promise<void> {
  const taken = await takeFlow(tx, 'verify_email', flow, now);
  if (!taken?.user_id) throw new Refused('flow_invalid');
  const { user_id, data } = taken;
  const verified = await tx`
    update users set email_verified = true where id = ${user_id} and email = ${String(data.email)}::text::citext`;
  if (verified.count === 0) throw new Refused('flow_invalid');
  await carryNewsletter(tx, user_id);
  if (data.newsletter === true) await subscribeVerified(tx, user_id, now);
  await recordEvent(tx, {
    name: 'user.edited',
    actor_id: user_id,
    user_id,
    data: { fields: ['email_verified'] },
  });
}
