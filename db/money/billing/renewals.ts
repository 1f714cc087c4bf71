import type { Db } from '../../platform/postgres/sql.ts';
import { openCharge } from './charges.ts';
import { collectable } from './open-charges.ts';
import { beginScheduled, payWith } from './plan-change/steps.ts';
import { beginSwitch } from './plus-orders/write.ts';
import { dueNow, periodEnd } from './rules.ts';
import { type LockedSubscription, startGracePeriod, transition } from './transition.ts';

const date = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Subscriptions for which something may be due, at most `limit`: those not tried for longest first. */
export async function dueSubscriptions(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select id from subscriptions where
      (state in ('active', 'cancelled') and period_end <= ${now})
      or (state = 'failed' and (next_attempt is null or next_attempt <= ${now}))
      or (state = 'grace' and grace_until <= ${now})
    order by last_tried nulls first, coalesce(grace_until, next_attempt, period_end), id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Charges opened before `before` that never settled (a process died, a card needs time) and that this processor can settle,
 * not tried for longest first.
 */
export async function unsettledCharges(
  db: Db,
  processor: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select c.id from charges c where c.state in ('open', 'waiting') and ${collectable(db, processor)} and c.created <= ${before}
    order by c.last_tried nulls first, c.created, c.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Subscriptions whose server is in another state than they ask for (a job was lost, or the server could not be suspended
 * in time, or has the size of the plan before), `limit` at most, not tried for longest first.
 */
export async function outOfSync(db: Db, limit: number): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select u.id from subscriptions u join servers s on s.id = u.server_id
    where (u.state = 'grace' and s.lifecycle not in ('suspended', 'unprovisioned', 'provisioning', 'deprovisioning'))
      or (u.state = 'ended' and s.lifecycle <> 'deprovisioning')
      or (s.lifecycle = 'ready'
        and exists (select 1 from plan_changes c where c.subscription_id = u.id and c.state = 'paid'))
    order by u.last_tried nulls first, u.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Stores that these are tried now, before trying: the order holds for those that fail too. */
export async function markTried(db: Db, subscription_ids: readonly string[], now: Date): Promise<void> {
  await db`update subscriptions set last_tried = ${now} where id = any(${subscription_ids})`;
}

/** Orders that were paid a while ago and have no server yet: their job was lost. */
export async function paidWithoutServer(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select o.id from orders o join subscriptions u on u.order_id = o.id
    where o.state = 'paid' and u.state in ('active', 'cancelled') and o.created <= ${before}
      and not exists (select 1 from servers s where s.id = o.server_id)
    order by o.created, o.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Processes what is due for one subscription. Gives the charge to collect, whether its server has to be reconciled
 * (`match`), or neither. Safe to run twice and in several processes. Source: decisions §4.1, §4.4.
 */
export async function processDue(
  tx: Db,
  id: string,
  processor: string,
  now: Date,
): Promise<{ charge_id: string | null; match: boolean }> {
  const none = { charge_id: null, match: false };
  const [one] = await tx<
    LockedSubscription[]
  >`select * from subscriptions where id = ${id} for update skip locked`;
  if (!one) return none;
  const period_end = date(one.period_end);
  const facts = {
    ...one,
    period_end,
    next_attempt: date(one.next_attempt),
    grace_until: date(one.grace_until),
  };
  switch (dueNow(facts, now)) {
    case 'renew':
    case 'retry':
      return { charge_id: await renewal(tx, one, processor, now), match: false };
    case 'end_trial':
      await startGracePeriod(tx, id, 'trial_ended', now);
      break;
    case 'end_period':
      // nothing of Plus is kept for a grace period
      if (one.product === 'plus') await transition(tx, id, 'ended');
      else await startGracePeriod(tx, id, one.term === 'trial' ? 'trial_ended' : 'cancelled', now);
      break;
    case 'give_up':
      await startGracePeriod(tx, id, 'payment_failed', now);
      break;
    case 'remove':
      await transition(tx, id, 'ended', { grace_until: null });
      break;
    case null:
      return none;
  }
  return { charge_id: null, match: one.product === 'server' };
}

/** The charge of the next period: the open one, or a new one. Time that has passed is not charged. */
async function renewal(tx: Db, one: LockedSubscription, processor: string, now: Date): Promise<string> {
  const open = await tx<Array<{ id: string }>>`
    select id from charges where subscription_id = ${one.id} and state in ('open', 'waiting')`;
  if (open[0]) return open[0].id;
  const changed = one.product === 'plus' ? await beginSwitch(tx, one) : await beginScheduled(tx, one.id);
  const term = changed?.term ?? one.term;
  let period_start = new Date(one.period_end!);
  // another interval counts from its own first day
  let anchor = term === one.term ? new Date(one.anchor!) : period_start;
  let period_end = periodEnd(anchor, period_start, term);
  if (period_end <= now) {
    anchor = now;
    period_start = now;
    period_end = periodEnd(now, now, term);
  }
  await tx`update subscriptions set anchor = ${anchor} where id = ${one.id}`;
  const period = { period_start, period_end };
  const ask = { subscription_id: one.id, reason: 'renewal' as const, processor, ...period, by: null };
  const charge_id = await openCharge(tx, ask, now);
  if (changed) await payWith(tx, one.id, charge_id);
  return charge_id;
}
