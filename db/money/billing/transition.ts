import { Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { onStopped } from './plan-change/steps.ts';
import { assertMayPay } from './proof-bound.ts';
import {
  addDays,
  type Currency,
  type GraceReason,
  graceDays,
  type Plan,
  type SubscriptionState,
  subscriptionMoves,
  type Term,
} from './rules.ts';

/** A subscription with its row locked until the commit. */
export interface LockedSubscription {
  id: string;
  product: 'server' | 'plus';
  /** Order, server, plan and memory are those of a server: Plus has none. */
  order_id: string;
  server_id: string;
  user_id: string;
  state: SubscriptionState;
  plan: Plan;
  ram_mb: number;
  term: Term;
  currency: Currency;
  price_minor: number;
  method_id: string | null;
  anchor: string | null;
  period_start: string | null;
  period_end: string | null;
  next_attempt: string | null;
  grace_until: string | null;
  /** Of Plus: the interval of its next period, when another one was chosen. */
  next_term: Term | null;
}

/**
 * Locks the subscription of a server for the actor, who changes it. Refuses `server_not_found` for hidden and unknown ones alike, and as
 * `assertMayPay`.
 */
export async function lockSubscription(
  tx: Db,
  actor: Actor,
  server_id: string,
  now: Date,
): Promise<LockedSubscription> {
  const [row] = await tx<
    LockedSubscription[]
  >`select * from subscriptions where server_id = ${server_id} for update`;
  if (!row || (row.user_id !== actor.user_id && !isAdmin(actor))) throw new Refused('server_not_found');
  assertMayPay(actor, now);
  return row;
}

/** Moves a subscription to another state. Throws an Error for a move that `subscriptionMoves` lacks, which is a bug. */
export async function transition(
  tx: Db,
  id: string,
  to: SubscriptionState,
  columns: Record<string, string | number | Date | null> = {},
): Promise<void> {
  const [row] = await tx<
    Array<{ state: SubscriptionState; product: 'server' | 'plus'; server_id: string; user_id: string }>
  >`select state, product, server_id, user_id from subscriptions where id = ${id} for update`;
  const { state: from, product, server_id, user_id } = row!;
  if (from !== to && !subscriptionMoves[from].includes(to))
    throw new Error(`A subscription cannot go from ${from} to ${to}.`);
  // why it was canceled says nothing of one that goes on
  const said = to === 'active' ? { cancel_reason: null, cancel_note: null } : {};
  await tx`update subscriptions set ${tx({ ...said, ...columns, state: to })} where id = ${id}`;
  const data = { subscription_id: id, from, to };
  if (product === 'plus') {
    // their badge may come or go
    if (from !== to) await recordEvent(tx, { name: 'plus.moved', user_id, data });
    return;
  }
  if (to === 'cancelled' || to === 'grace' || to === 'ended') await onStopped(tx, id, to === 'ended');
  if (from !== to) await recordEvent(tx, { name: 'subscription.moved', server_id, user_id, data });
}

/** Begins the grace period; the caller enqueues `reconcile_server`. */
export const startGracePeriod = async (
  tx: Db,
  id: string,
  grace_reason: GraceReason,
  now: Date,
): Promise<void> =>
  await transition(tx, id, 'grace', {
    grace_reason,
    grace_until: addDays(now, graceDays),
    next_attempt: null,
  });
