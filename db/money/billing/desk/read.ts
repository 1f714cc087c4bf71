import type { Db } from '../../../platform/postgres/sql.ts';
import type { CancelReason } from '../cancel-reasons.ts';
import type { RefundCause } from '../give-back.ts';
import type { RefundFacts } from '../refunds/rules.ts';
import type { ChargeReason, ChargeState, Currency, SubscriptionState, Term } from '../rules.ts';

/** What administrators see of somebody's payments. Source: screens §A.8 (admin billing). */

/** A charge with everything that decides about refunds. */
export interface StaffCharge extends RefundFacts {
  id: string;
  state: ChargeState;
  reason: ChargeReason;
  amount_minor: number;
  currency: Currency;
  /** What is left after refunds and lost disputes; 0 for what was never paid. */
  net_minor: number;
  /** What the processor keeps, in its own currency; null while that is not known. */
  fee_minor: number | null;
  fee_currency: string | null;
  failure: string | null;
  processor: string;
  intent_id: string | null;
  created: string;
  settled: string | null;
  period_start: string;
  period_end: string;
  subscription_id: string;
  subscription_state: SubscriptionState;
  server_id: string | null;
  /** The name of the server, or null. */
  name: string | null;
  /** What was bought: its size, null for Plus, and its interval. */
  ram_mb: number | null;
  term: Term;
  refunds: StaffRefund[];
}
interface StaffRefund {
  id: string;
  amount_minor: number;
  cause: RefundCause;
  /** What staff said; null for what was given back by itself. */
  reason: string | null;
  takes_service: boolean;
  by: string | null;
  created: string;
  /** Null until the processor had it. */
  sent: string | null;
}

const charges_per_page = 10;

/** The charges of somebody on a page, newest first; a page beyond the last one is the last. */
export async function chargesOf(
  db: Db,
  user_id: string,
  requested: number,
): Promise<{ charges: StaffCharge[]; page: number; pages: number }> {
  const [count] = await db<[{ total: number }]>`
    select count(*)::int as total from charges where user_id = ${user_id}`;
  const pages = Math.max(1, Math.ceil(count.total / charges_per_page));
  const page = Math.min(Math.max(1, requested), pages);
  const charges = await db<StaffCharge[]>`
    select c.id, c.state, c.reason, c.amount_minor, c.currency, c.failure, c.dispute, c.processor, c.intent_id, c.fee_minor, c.fee_currency, c.created,
      c.settled, c.period_start, c.period_end, c.subscription_id, u.state as subscription_state, u.server_id, c.term,
      c.ram_mb, coalesce(s.name, o.name) as name, g.given_minor, g.refunds,
      (case when c.state = 'succeeded' and c.dispute is distinct from 'lost' then c.amount_minor - g.given_minor
        else 0 end)::bigint as net_minor
    from charges c join subscriptions u on u.id = c.subscription_id left join orders o on o.id = u.order_id
      left join servers s on s.id = u.server_id
      cross join lateral (
        select coalesce(sum(r.amount_minor), 0)::bigint as given_minor, coalesce(jsonb_agg(jsonb_build_object('id', r.id,
          'amount_minor', r.amount_minor, 'cause', r.cause, 'reason', r.reason, 'takes_service', r.takes_service, 'by', p.username,
          'created', r.created, 'sent', r.sent) order by r.created, r.id), '[]') as refunds
        from refunds r left join users p on p.id = r.actor_id where r.charge_id = c.id) g
    where c.user_id = ${user_id}
    order by c.created desc, c.id limit ${charges_per_page} offset ${(page - 1) * charges_per_page}`;
  return { charges, page, pages };
}

/** A subscription as administrators see it. */
export interface StaffSubscription {
  id: string;
  product: 'server' | 'plus';
  server_id: string | null;
  /** The name of the server; null for Plus. */
  name: string | null;
  ram_mb: number | null;
  price_minor: number;
  currency: Currency;
  state: SubscriptionState;
  /** Whether it ended before anything was paid for it: an order that failed. */
  never_paid: boolean;
  term: Term;
  period_end: string | null;
  next_attempt: string | null;
  attempts: number;
  grace_until: string | null;
  /** Days that staff gave, in all. */
  credited: number;
  /** Whether a charge waits to be sent, which can be voided. */
  has_unsent: boolean;
  /** Why its owner canceled it, as far as they said. */
  cancel_reason: CancelReason | null;
  cancel_note: string | null;
}

/** The subscriptions of somebody, those that run first, 100 at most. */
export const staffSubscriptionsOf = (db: Db, user_id: string): Promise<StaffSubscription[]> => db<
  StaffSubscription[]
>`
  select u.id, u.product, u.server_id, coalesce(s.name, o.name) as name, u.ram_mb, u.price_minor, u.currency, u.state,
    u.state = 'ended' and u.term <> 'trial' and not exists (
      select from charges c where c.subscription_id = u.id and c.state in ('succeeded', 'refunded')) as never_paid, u.term, u.period_end, u.next_attempt, u.attempts,
    u.grace_until, u.cancel_reason, u.cancel_note,
    (select coalesce(sum(b.days), 0)::int from billing_credits b where b.subscription_id = u.id) as credited,
    exists (select from charges c where c.subscription_id = u.id and c.state = 'open' and c.last_tried is null) as has_unsent
  from subscriptions u left join orders o on o.id = u.order_id left join servers s on s.id = u.server_id
  where u.user_id = ${user_id} order by u.state = 'ended', u.created desc, u.id limit 100`;
