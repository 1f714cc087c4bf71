import { getFact, setFact } from '../../platform/installation.ts';
import type { Pool } from '../../platform/postgres/sql.ts';

const key = 'mail_configured';

/**
 * The first time this site can send mail, addresses that nobody could verify before become unverified; those of demo
 * accounts, and those that staff vouched for, stay as they are. Does nothing at later starts. Gives how many became unverified.
 */
export async function unverifyOnce({ sql }: { sql: Pool }): Promise<number> {
  return (await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${`cairn.${key}`}))`;
    if (await getFact(tx, key)) return 0;
    await setFact(tx, key, true);
    const changed = await tx`
      update users set email_verified = false
      where email_verified and not email_vouched and email is not null and email not like '%@demo.invalid'`;
    return changed.count;
  })) as number;
}
