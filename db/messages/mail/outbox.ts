import { dueRows, lease_ms } from '../../platform/postgres/claim-due.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { MailTemplate } from './rules.ts';

/** A mail that a sender took. */
export interface OutgoingMail {
  id: string;
  template: MailTemplate;
  to_address: string;
  user_id: string | null;
  locale: string;
  /** Sealed. */
  data: string;
  attempts: number;
  /** Whether it waits for longer than its links are valid; those of newsletters always are. */
  is_late: boolean;
  /** Whether the mail server of the recipient refuses this address. */
  is_refused: boolean;
}

const late_ms = 24 * 3_600_000;
const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/**
 * Takes up to `limit` mails that are due, the oldest first. If the sender ends before it says what became of one, the mail
 * is due again after five minutes.
 */
export const takeMails = (db: Db, now: Date, limit: number): Promise<OutgoingMail[]> =>
  db<OutgoingMail[]>`
    update mails m set attempts = attempts + 1, due = ${after(now, lease_ms)}
    where id = any(${dueRows(db, 'mails', now, limit)})
    returning id, template, to_address, user_id, locale, data, attempts,
      created < ${after(now, -late_ms)} and template <> 'newsletter' as is_late,
      exists (
        select from users u
        where u.id = m.user_id and u.email_refused is not null and u.email = m.to_address::citext) as is_refused`;

/** The mail arrived: what it said is erased, and its address takes mails. */
export async function markSent(db: Db, { id, user_id, to_address }: OutgoingMail, now: Date): Promise<void> {
  await db`update mails set state = 'sent', sent = ${now}, data = '', answer = null where id = ${id}`;
  await db`
    update users set email_refused = null, email_answer = null
    where id = ${user_id} and email = ${to_address}::text::citext and email_refused is not null`;
}

/** The mail is not sent anymore, and what it said is erased. */
export async function markUnsent(
  db: Db,
  id: string,
  state: 'refused' | 'failed',
  answer: string,
): Promise<void> {
  await db`update mails set state = ${state}, answer = ${answer}, data = '' where id = ${id}`;
}

/**
 * The mail server of the recipient knows no such address: until it changes, only mails about the account go there. The
 * newsletter of somebody without an account ends.
 */
export async function markAddressRefused(
  db: Db,
  { user_id, to_address }: OutgoingMail,
  answer: string,
  now: Date,
): Promise<void> {
  await db`
    update users set email_refused = coalesce(email_refused, ${now}), email_answer = ${answer}
    where id = ${user_id} and email = ${to_address}::text::citext`;
  await db`
    delete from newsletter_subscriptions where email = ${to_address}::text::citext and user_id is null`;
}

/** The mail is tried again at `due`; `counts` is false when the mail server was not even reached. */
export async function postpone(
  db: Db,
  id: string,
  { due, answer, counts }: { due: Date; answer: string; counts: boolean },
): Promise<void> {
  await db`
    update mails set due = ${due}, answer = ${answer}, attempts = attempts - ${counts ? 0 : 1} where id = ${id}`;
}

/** Deletes mails after 30 days, sent or not. Gives how many. */
export async function deleteOldMails(db: Db, now: Date): Promise<number> {
  return (await db`delete from mails where created < ${after(now, -30 * 24 * 3_600_000)}`).count;
}

/** How many mails wait to be sent. */
export async function countWaitingMails(db: Db): Promise<number> {
  const [row] = await db<[{ count: number }]>`select count(*) as count from mails where state = 'waiting'`;
  return row.count;
}
