import { assertAllowed, Refused } from '../../platform/errors.ts';
import { type Actor, hasScope, whyNotProved, whyNotProvedOrNew } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Currency, currencies } from './rules.ts';

/**
 * What somebody may order within a day without proving again who they are: so much as this many GB of memory cost for a month
 * (USD 48), in any currency. A stolen session buys no year of the largest server.
 */
const unproved_gb_months = 16;
const day_ms = 24 * 3_600_000;

/**
 * Refuses `scope_missing` to whoever may not decide about money: apps, and personal tokens that are older than ten minutes.
 * Source: api-behaviours §14 (PAT cannot).
 */
export function assertMayPay(actor: Actor, now: Date): void {
  const scope = 'SESSION_ACCESS';
  if (!hasScope(actor, scope) && whyNotProvedOrNew(actor, now)) throw new Refused('scope_missing', { scope });
}

/**
 * Asks for a proof of who the actor is when their orders of the last 24 hours, the one that was opened just now among them,
 * cost more than `unproved_gb_months`. Refuses `proof_required`, and as `assertMayPay`.
 */
export async function assertProvedForAmount(tx: Db, actor: Actor, now: Date): Promise<void> {
  assertMayPay(actor, now);
  const sums = await tx<Array<{ currency: Currency; amount_minor: number }>>`
    select currency, sum(amount_minor)::float8 as amount_minor from charges
    where user_id = ${actor.user_id} and reason <> 'renewal' and state <> 'failed'
      and created > ${new Date(now.getTime() - day_ms)}
    group by currency`;
  const gb_months = sums.reduce(
    (sum, { currency, amount_minor }) => sum + amount_minor / currencies[currency].gb_month,
    0,
  );
  if (gb_months > unproved_gb_months) assertAllowed(whyNotProved(actor, now));
}
