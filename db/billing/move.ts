import type { Db } from '../sql.ts';
import {
  addDays,
  type Currency,
  type GraceReason,
  graceDays,
  type SubscriptionState,
  subscriptionMoves,
  type Term,
} from './rules.ts';

/** A subscription with its row locked until the commit. */
export interface Locked {
  id: string;
  order_id: string;
  server_id: string;
  user_id: string;
  state: SubscriptionState;
  term: Term;
  currency: Currency;
  price_minor: number;
  method_id: string | null;
  anchor: string | null;
  period_end: string | null;
  next_attempt: string | null;
  grace_until: string | null;
}

/** Brings a subscription into another state; a move that the table does not know is a fault of ours. */
export async function move(
  tx: Db,
  id: string,
  to: SubscriptionState,
  columns: Record<string, string | number | Date | null> = {},
): Promise<void> {
  const [row] = await tx<Array<{ state: SubscriptionState }>>`
    select state from subscriptions where id = ${id} for update`;
  const from = row!.state;
  if (from !== to && !subscriptionMoves[from].includes(to))
    throw new Error(`A subscription cannot go from ${from} to ${to}.`);
  await tx`update subscriptions set ${tx({ ...columns, state: to })} where id = ${id}`;
}

/** Suspends for the grace time; the caller sends `match_server`. */
export const intoGrace = async (tx: Db, id: string, grace_reason: GraceReason, now: Date): Promise<void> =>
  await move(tx, id, 'grace', { grace_reason, grace_until: addDays(now, graceDays), next_attempt: null });

/** Ends the subscription of a server that its owner deletes: nothing more is charged, nothing comes back. */
export async function endFor(tx: Db, server_id: string): Promise<void> {
  const [row] = await tx<Array<{ id: string; state: SubscriptionState }>>`
    select id, state from subscriptions where server_id = ${server_id} for update`;
  if (row && row.state !== 'ended')
    await move(tx, row.id, 'ended', { next_attempt: null, grace_until: null });
}
