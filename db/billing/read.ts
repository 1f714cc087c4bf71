import { assertAllowed } from '../errors.ts';
import type { Actor } from '../people/rules.ts';
import { whyNotSee } from '../servers/rules.ts';
import type { NewServer } from '../servers/write.ts';
import type { Db } from '../sql.ts';
import type { Currency, GraceReason, Plan, SubscriptionState, Term } from './rules.ts';

/** The server of a paid order, as `openServer` takes it; null for an order that is not paid or unknown. */
export async function paidOrder(db: Db, order_id: string): Promise<NewServer | null> {
  const [row] = await db<Array<Omit<NewServer, 'terms_accepted'> & { terms_accepted: string }>>`
    select server_id as id, id as order_id, user_id as owner_id, name, kind, region, plan, ram_mb, cpu_millis, swap_mb,
      disk_mb, game_version, loader, terms_accepted
    from orders where id = ${order_id} and state = 'paid'`;
  return row ? { ...row, terms_accepted: new Date(row.terms_accepted) } : null;
}

/** A subscription as its owner sees it. */
export interface SubscriptionView {
  server_id: string;
  /** Name of the server. */
  name: string;
  state: SubscriptionState;
  term: Term;
  currency: Currency;
  price_minor: number;
  plan: Plan;
  ram_mb: number;
  period_end: string | null;
  grace_reason: GraceReason | null;
  grace_until: string | null;
  next_attempt: string | null;
  /** Whether its server is on a node; cancelling one that is not ends it at once with a refund. */
  placed: boolean;
  /** The payment card; null for a trial. */
  card: { brand: string; last_four: string } | null;
}

/** The subscription of a server for `actor`. Refuses like `whyNotSee`. Null for a server that was never ordered. */
export async function subscriptionOf(
  db: Db,
  actor: Actor | null,
  server_id: string,
): Promise<SubscriptionView | null> {
  const [row] = await db<Array<SubscriptionView & { user_id: string }>>`
    select u.server_id, u.user_id, u.state, u.term, u.currency, u.price_minor, o.plan, o.ram_mb,
      coalesce(s.name, o.name) as name, u.period_end,
      u.grace_reason, u.grace_until, u.next_attempt, s.node_id is not null as placed,
      case when m.id is null then null else jsonb_build_object('brand', m.brand, 'last_four', m.last_four) end as card
    from subscriptions u join orders o on o.id = u.order_id left join payment_methods m on m.id = u.method_id
      left join servers s on s.id = u.server_id
    where u.server_id = ${server_id}`;
  const facts = row
    ? { owner_id: row.user_id, lifecycle: 'ready' as const, power: 'stopped' as const }
    : null;
  assertAllowed(whyNotSee(actor, facts), { scope: 'SERVER_READ' });
  if (!row) return null;
  const { user_id: _, ...view } = row;
  return view;
}

/** Whether the user has had a trial. */
export async function hadTrial(db: Db, user_id: string): Promise<boolean> {
  const rows = await db`
    select 1 from orders where user_id = ${user_id} and plan = 'trial' and state in ('pending', 'paid')`;
  return rows.length > 0;
}
