import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Standing } from './rules.ts';
import { taxThreshold } from './tax/rules.ts';
import type { TaxForms } from './tax/tax-forms.ts';

/** What withdrawals of a person are measured by. Refuses `token_invalid` for somebody who is gone. */
export async function standingOf(
  db: Db,
  forms: Pick<TaxForms, 'status'>,
  user_id: string,
  now: Date,
): Promise<Standing> {
  const year = new Date(Date.UTC(now.getUTCFullYear(), 0, 1));
  const [row] = await db<
    Array<{ email_verified: boolean; available_minor: number; withdrawn_year_minor: number }>
  >`
    select u.email_verified and u.email is not null as email_verified,
      (select coalesce(-sum(amount_minor), 0)::bigint from ledger_entries where account_id = ${`creator:${user_id}`})
        as available_minor,
      (select coalesce(sum(amount_minor), 0)::bigint from payouts where user_id = u.id and created >= ${year}
        and state not in ('cancelled', 'failed')) as withdrawn_year_minor
    from users u where u.id = ${user_id}`;
  if (!row) throw new Refused('token_invalid');
  const form = await forms.status(db, user_id, now);
  const threshold_minor = taxThreshold(now.getUTCFullYear()) * 100;
  return { ...row, tax_status: form.status, threshold_minor };
}
