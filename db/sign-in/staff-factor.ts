import type { Db } from '../sql.ts';
import type { StaffFactorDue } from './rules.ts';

/**
 * Until which day (UTC) the role of somebody counts who is staff without a second factor (`usable_role` in the database), and whether that is
 * over; null for everybody else.
 */
export async function staffFactorDue(db: Db, user_id: string): Promise<StaffFactorDue | null> {
  const [row] = await db<StaffFactorDue[]>`
    select (u.staff_since + interval '7 days')::date::text as until, usable_role(u) = 'developer' as is_over
    from users u
    where u.id = ${user_id} and u.role <> 'developer' and u.staff_since < 'infinity'
      and not exists (select from two_factor f where f.user_id = u.id)`;
  return row ?? null;
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
