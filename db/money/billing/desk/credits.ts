import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import { type Actor, accountOf } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { whyNotManageBilling } from '../refunds/rules.ts';
import { addDays, type ChargeReason, type Interval, periodEnd } from '../rules.ts';
import { reasonOf } from '../staff-refunds/write.ts';
import { maxCreditDays, maxCredited } from './rules.ts';

export interface CreditInput {
  /** Idempotency key: the same one twice gives the days once, and nothing else can be asked for with it. */
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
 * there. The period of a payment that is under way begins later by as much. Gives those that got them. Refuses
 * `admins_only`, `reason_required`, `credit_days`, `credit_too_many`, and `credit_nothing` when one of the named
 * subscriptions is unknown or does not run, or none is found, and `operation_mismatch` for an `op_id` that gave other
 * days, or gave them to others than are named.
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
  await assertSame(tx, op_id, days, 'subscription_ids' in target ? target.subscription_ids : null);
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
      await moveOpenCharges(tx, id, days);
      const data = { subscription_id: id, days };
      await recordEvent(tx, { name: 'subscription.credited', actor_id, user_id, data });
    }
    credited.push({ subscription_id: id, user_id, period_end: until.toISOString() });
  }
  return credited;
}

/** Lets the periods of payments that are not settled begin later by days; each is as long as its interval from there. */
async function moveOpenCharges(tx: Db, subscription_id: string, days: number): Promise<void> {
  const open = await tx<Array<{ id: string; reason: ChargeReason; period_start: string; term: Interval }>>`
    select c.id, c.reason, c.period_start, coalesce(p.term, u.term) as term
    from charges c join subscriptions u on u.id = c.subscription_id
      left join plan_changes p on p.charge_id = c.id and p.state = 'paying'
    where c.subscription_id = ${subscription_id} and c.state in ('open', 'waiting') for update of c`;
  for (const { id, reason, term, ...charge } of open) {
    const period_start = addDays(new Date(charge.period_start), days);
    const period_end = periodEnd(period_start, period_start, term);
    await tx`update charges set ${tx({ period_start, period_end })} where id = ${id}`;
    // other payments set it when they succeed
    if (reason === 'renewal')
      await tx`update subscriptions set anchor = ${period_start} where id = ${subscription_id}`;
  }
}

/** Refuses `operation_mismatch` when this `op_id` was another credit; whom it found by a place may be others by now. */
async function assertSame(
  tx: Db,
  op_id: string,
  days: number,
  named: readonly string[] | null,
): Promise<void> {
  const [before] = await tx<[{ days: number | null; same: boolean | null }]>`
    select max(days) as days, array_agg(subscription_id::text order by subscription_id) = ${named && [...new Set(named)].sort()}::text[] as same
    from billing_credits where op_id = ${op_id}`;
  if (before.days === null) return;
  if (before.days !== days || before.same === false) throw new Refused('operation_mismatch');
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
