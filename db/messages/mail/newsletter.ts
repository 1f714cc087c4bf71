import { assertAllowed, Refused } from '../../platform/errors.ts';
import { openFlow, readFlow, takeFlow } from '../../platform/flows/write.ts';
import { storedEmail } from '../../platform/people/email-address.ts';
import { whyNotEmail } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Mailing, mailMode, queueMail } from './queue.ts';

/**
 * Asks an address whether it wants the newsletter, by a link (double opt-in). Nothing shows whether it has it already. Refuses
 * `email_malformed`, and `mail_off` where this site cannot send mail.
 */
export async function askForNewsletter(
  tx: Db,
  mailing: Mailing,
  { email: given, locale, now }: { email: string; locale: string; now: Date },
): Promise<void> {
  const email = storedEmail(given);
  assertAllowed(whyNotEmail(email));
  if (mailMode(mailing.settings) === 'off') throw new Refused('mail_off');
  const secret = await openFlow(tx, 'newsletter', { data: { email, locale }, now });
  const [known] = await tx`select 1 from newsletter_subscriptions where email = ${email}::text::citext`;
  if (known) return;
  const link = `/newsletter/confirm?flow=${secret}`;
  const mail = { template: 'newsletter_confirm', to: email, user_id: null, data: { link }, locale } as const;
  await queueMail(tx, mailing, { ...mail, now });
}

/**
 * Subscribes a signed-in user: at once when the address is verified, else it is asked. Refuses `no_email`, `mail_off`.
 * Source: api-v3 §4 (POST email/subscribe).
 */
export async function subscribeUser(
  tx: Db,
  mailing: Mailing,
  { user_id, now }: { user_id: string; now: Date },
): Promise<void> {
  const [user] = await tx<Array<{ email: string | null; email_verified: boolean; locale: string | null }>>`
    select u.email, u.email_verified, p.data -> 'localization' ->> 'locale' as locale
    from users u left join user_preferences p on p.user_id = u.id where u.id = ${user_id}`;
  if (!user?.email) throw new Refused('no_email');
  if (user.email_verified) await subscribeVerified(tx, user_id, now);
  else await askForNewsletter(tx, mailing, { email: user.email, locale: user.locale ?? 'en-US', now });
}

/** Subscribes the address of a user, which is verified; otherwise does nothing. */
export async function subscribeVerified(tx: Db, user_id: string, now: Date): Promise<void> {
  await tx`
    insert into newsletter_subscriptions (email, user_id, locale, confirmed)
    select u.email, u.id, coalesce(p.data -> 'localization' ->> 'locale', 'en-US'), ${now}
    from users u left join user_preferences p on p.user_id = u.id
    where u.id = ${user_id} and u.email is not null and u.email_verified
    on conflict (email) do update set user_id = excluded.user_id`;
}

/** A subscription follows its user to a new address, once that is verified. */
export async function carryNewsletter(tx: Db, user_id: string): Promise<void> {
  await tx`
    delete from newsletter_subscriptions n using users u
    where u.id = ${user_id} and n.user_id = u.id and n.email <> u.email
      and exists (select from newsletter_subscriptions o where o.email = u.email)`;
  await tx`
    update newsletter_subscriptions n set email = u.email from users u
    where u.id = ${user_id} and n.user_id = u.id and n.email <> u.email`;
}

/** Whether a link can still confirm a subscription. */
export const isNewsletterLink = async (db: Db, flow: string, now: Date): Promise<boolean> =>
  (await readFlow(db, 'newsletter', flow, now)) !== null;

/** Subscribes the address that the link was mailed to. Refuses `flow_invalid`. */
export async function confirmNewsletter(tx: Db, { flow, now }: { flow: string; now: Date }): Promise<void> {
  const taken = await takeFlow(tx, 'newsletter', flow, now);
  if (!taken) throw new Refused('flow_invalid');
  const { email, locale } = taken.data as { email: string; locale: string };
  await tx`
    insert into newsletter_subscriptions (email, user_id, locale, confirmed)
    values (${email}, (select id from users where email = ${email}::text::citext), ${locale}, ${now})
    on conflict (email) do nothing`;
}

/** Whether a user gets the newsletter. Source: api-v3 §4 (GET email/subscribe). */
export async function isSubscribed(db: Db, user_id: string): Promise<boolean> {
  const [row] = await db`select 1 from newsletter_subscriptions where user_id = ${user_id} limit 1`;
  return row !== undefined;
}

/** Ends the subscription of an address, and those of its user; what waits to be sent to them is not sent. */
export async function leaveNewsletter(
  tx: Db,
  { email, user_id }: { email: string; user_id: string | null },
): Promise<void> {
  await tx`
    delete from newsletter_subscriptions
    where email = ${email}::text::citext or user_id = ${user_id}`;
  await tx`
    delete from mails
    where template = 'newsletter' and state = 'waiting'
      and (to_address::citext = ${email}::text::citext or user_id = ${user_id})`;
}
