import { assertAllowed, Refused } from '../../errors.ts';
import { recordEvent } from '../../events/write.ts';
import { newId } from '../../id.ts';
import { type Actor, accountOf } from '../../people/rules.ts';
import type { Db } from '../../sql.ts';
import { whyNotManageBilling } from '../refunds/rules.ts';
import { reasonOf } from '../refunds/write.ts';
import { addDays } from '../rules.ts';
import { maxCreditDays, maxCredited } from './rules.ts';

export interface CreditInput {
  /** Idempotency key: the same one twice gives the days once. */
  op_id: string;
  /** Which subscriptions: these, or those of servers that run on these nodes or in this region. */
  target: { subscription_ids: readonly string[] } | { nodes: readonly string[] } | { region: string };
  days: number;
  reason: string;
}

/** A subscription that got days: how far its paid time goes now. */
export interface Credited {
  subscription_id: string;
  user_id: string;
  period_end: string;
}

/**
 * Extends the paid time of running subscriptions by days: their next payment is due later, and later periods count from
 * there. Gives those that got them. Refuses `admins_only`, `reason_required`, `credit_days`, `credit_too_many`, and
 * `credit_nothing` when one of the named subscriptions is unknown or does not run, or none is found.
 */
export async function creditDays(
  tx: Db,
  actor: Actor,
  { op_id, target, days, reason: text }: CreditInput,
  now: Date,
): Promise<Credited[]> {
  assertAllowed(whyNotManageBilling(actor));
  const reason = reasonOf(text);
  if (!Number.isSafeInteger(days) || days < 1 || days > maxCreditDays)
    throw new Refused('credit_days', { most: maxCreditDays });
  const found = await lockTargets(tx, target);
  if (found.length > maxCredited) throw new Refused('credit_too_many', { most: maxCredited });
  const named = 'subscription_ids' in target ? new Set(target.subscription_ids).size : 1;
  if (found.length < named) throw new Refused('credit_nothing');
  const credited: Credited[] = [];
  for (const { id, user_id, period_end } of found) {
    const actor_id = accountOf(actor);
    const made = await tx`
      insert into billing_credits ${tx({ id: newId(), op_id, subscription_id: id, days, reason, actor_id, created: now })}
      on conflict do nothing returning id`;
    const until = made.length > 0 ? addDays(new Date(period_end), days) : new Date(period_end);
    if (made.length > 0) {
      // later periods count from the new day, else the next one would be shorter by what was given
      await tx`update subscriptions set period_end = ${until}, anchor = ${until} where id = ${id}`;
      const data = { subscription_id: id, days };
      await recordEvent(tx, { name: 'subscription.credited', actor_id, user_id, data });
    }
    credited.push({ subscription_id: id, user_id, period_end: until.toISOString() });
  }
  return credited;
}

interface Target {
  id: string;
  user_id: string;
  period_end: string;
}
/** Running subscriptions in the order of their ids, so that two credits wait for each other and do not block. */
const lockTargets = (tx: Db, target: CreditInput['target']): Promise<Target[]> => {
  const which =
    'subscription_ids' in target
      ? tx`id = any(${target.subscription_ids as string[]})`
      : 'nodes' in target
        ? tx`server_id in (select s.id from servers s join nodes n on n.id = s.node_id
            where n.id = any(${target.nodes as string[]}) or n.name = any(${target.nodes as string[]}))`
        : tx`server_id in (select s.id from servers s where s.region = ${target.region})`;
  return tx<Target[]>`
    select id, user_id, period_end from subscriptions
    where ${which} and state in ('active', 'cancelled') order by id limit ${maxCredited + 1} for update`;
};
