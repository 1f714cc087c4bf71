import type { Db } from '../../../platform/postgres/sql.ts';
import { cardOf } from '../paid-with.ts';
import type { Currency, Interval, SubscriptionState } from '../rules.ts';

/** Plus as its owner sees it; amounts in minor units of its currency. */
export interface PlusView {
  state: Exclude<SubscriptionState, 'ended'>;
  term: Interval;
  currency: Currency;
  price_minor: number;
  period_end: string;
  grace_until: string | null;
  next_attempt: string | null;
  /** Why its newest payment failed; null when it did not. */
  failure: string | null;
  /** Chosen for the next period; null when it stays as it is. */
  next: { term: Interval; price_minor: number } | null;
  card: { brand: string; last_four: string } | null;
  /** A payment by its owner is not decided yet: the bank may want a confirmation. */
  waits: boolean;
}

/** The Plus of a user, null for one who has none or whose has ended. */
export async function plusOf(db: Db, user_id: string): Promise<PlusView | null> {
  const [row] = await db<PlusView[]>`
    select u.state, u.term, u.currency, u.price_minor, u.period_end, u.grace_until, u.next_attempt,
      (select c.failure from charges c where c.subscription_id = u.id order by c.created desc, c.id limit 1) as failure,
      case when u.next_term is null then null
        else jsonb_build_object('term', u.next_term, 'price_minor', u.next_price_minor) end as next,
      ${cardOf(db)} as card,
      exists (select from charges c where c.subscription_id = u.id and c.state in ('open', 'waiting')
        and c.reason <> 'renewal') as waits
    from subscriptions u left join payment_methods m on m.id = u.method_id
    where u.user_id = ${user_id} and u.product = 'plus' and u.state <> 'ended'`;
  return row ?? null;
}
