import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import type { StaffFactorDue } from './rules.ts';

/** Until which day (UTC) the role of the staff `u` counts without a second factor. */
const lastDay = (db: Db) => db`(u.staff_since + interval '7 days')::date::text`;

/**
 * Until which day (UTC) the role of somebody counts who is staff without a second factor (`usable_role` in the database), and whether that is
 * over; null for everybody else.
 */
export async function staffFactorDue(db: Db, user_id: string): Promise<StaffFactorDue | null> {
  const [row] = await db<StaffFactorDue[]>`
    select ${lastDay(db)} as until, usable_role(u) = 'developer' as is_over
    from users u
    where u.id = ${user_id} and u.role <> 'developer' and u.staff_since < 'infinity'
      and not exists (select from two_factor f where f.user_id = u.id)`;
  return row ?? null;
}

/** Mails of one call; the next call goes on. */
const max_mails = 100;

/**
 * Asks everybody by mail, once, who is staff without a second factor and whose role still counts, to set one up in time. Gives the number
 * of mails; the ones that this site cannot send count too, and are not tried again.
 */
export async function mailStaffFactor(sql: Pool, mailing: Mailing, now: Date): Promise<number> {
  return await sql.begin(async (tx) => {
    const due = await tx<Array<{ user_id: string; username: string; until: string }>>`
      update users u set staff_factor_mailed = ${now}
      from (
        select id from users
        where role <> 'developer' and staff_since > ${now}::timestamptz - interval '7 days' and staff_since < 'infinity'
          and (staff_factor_mailed is null or staff_factor_mailed < staff_since)
          and not exists (select from two_factor f where f.user_id = users.id)
        limit ${max_mails} for update skip locked
      ) d
      where u.id = d.id
      returning u.id as user_id, u.username, ${lastDay(tx)} as until`;
    for (const { user_id, ...data } of due)
      await queueMail(tx, mailing, { template: 'staff_factor', to: null, user_id, data, now });
    return due.length;
  });
}

/**
 * Ends the exception of the demo's accounts, whose passwords are known: other machines reach this installation now. Gives how many
 * lost it.
 */
export async function endDemoException(db: Db): Promise<number> {
  const { count } = await db`update users set staff_since = now() where staff_since = 'infinity'`;
  return count;
}

/** Excepts the accounts of a demo that was made before there was an exception, while only this machine reaches it. */
export async function exceptDemoAccounts(db: Db, usernames: readonly string[]): Promise<void> {
  await db`
    update users set staff_since = 'infinity'
    where username = any(${usernames as string[]}::text[]::citext[]) and role <> 'developer' and staff_since < 'infinity'`;
}
