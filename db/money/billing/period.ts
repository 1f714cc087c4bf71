import type { Db } from '../../platform/postgres/sql.ts';
import type { Posting } from './ledger.ts';
import { type RefundFacts, refundable } from './refunds/rules.ts';

/** Charges of a subscription that one period may be paid with: each change of plan before its end adds one. */
const max_charges = 200;

/**
 * With which charges the current period of a subscription was paid, and how much of each pays for it and was not given back,
 * in minor units. Also what a change of plan took over from the period before; nothing else of earlier periods.
 */
export async function paidForPeriod(
  db: Db,
  subscription_id: string,
): Promise<Array<Posting & { share_minor: number }>> {
  const charges = await db<Array<Posting & PeriodCharge & { opens: boolean }>>`
    select c.id, c.user_id, c.processor, c.amount_minor, c.currency, c.state, c.dispute, c.period_start = u.period_start as opens,
      coalesce(p.credit_minor, 0)::bigint as credit_minor,
      (select coalesce(sum(r.amount_minor), 0)::bigint from refunds r where r.charge_id = c.id) as given_minor
    from subscriptions u join charges c on c.subscription_id = u.id
      left join plan_changes p on p.charge_id = c.id and c.reason = 'change'
    where u.id = ${subscription_id} and c.state in ('succeeded', 'refunded')
      and not exists (select 1 from refunds r where r.charge_id = c.id and r.cause = 'late')
    order by c.settled desc, c.reason = 'change' desc, c.created desc, c.id limit ${max_charges}`;
  const first = charges.findIndex(({ opens }) => opens);
  return first < 0 ? [] : sharesOf(charges.slice(first));
}

/** A charge that was paid, and what of the period before it took over. */
interface PeriodCharge extends RefundFacts {
  /** Of a change of plan: what the rest of the period before was worth. */
  credit_minor: number;
}

/**
 * How much of each charge pays for the current period and was not given back, in minor units. `charges` begin with the one
 * that began the period; those before it follow, the latest first. A change of plan is paid with what is left of the period
 * before it, too: that much of the charges before it pays for this one.
 */
function sharesOf<C extends PeriodCharge>(charges: readonly C[]): Array<C & { share_minor: number }> {
  const shares: Array<C & { share_minor: number }> = [];
  let carried = Number.POSITIVE_INFINITY;
  for (const charge of charges) {
    shares.push({ ...charge, share_minor: Math.min(carried, refundable(charge)) });
    // what this charge was carries first, whatever was given back of it since
    carried = Math.min(carried - charge.amount_minor, charge.credit_minor);
    if (carried <= 0) break;
  }
  return shares;
}
