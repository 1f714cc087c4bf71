import { type WhyNoRoom, whyNoRoomFor } from '../../../hosting/servers/capacity.ts';
import { findAuthorizedServer } from '../../../hosting/servers/read.ts';
import { whyNotChange, whyNotResize } from '../../../hosting/servers/rules.ts';
import { sizeOf } from '../../../hosting/servers/sizes.ts';
import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { openCharge } from '../charges.ts';
import type { Payments } from '../payments.ts';
import { paidForPeriod } from '../period.ts';
import {
  type PaidPlan,
  type PlanChange,
  planChange,
  type WantedPlan,
  whyNotChangePlan,
  whyNotWanted,
} from '../plan-change/rules.ts';
import { type Plan, ramGbOf, whyNotSell } from '../rules.ts';
import { type LockedSubscription, lockSubscription } from '../transition.ts';

/** What a change would do: the dry run of `changePlan`. */
export interface PlanOutlook extends PlanChange {
  /** Why its node cannot hold it, which refuses the change, or null. */
  no_room: WhyNoRoom | null;
}

const paidPlan = async (db: Db, one: LockedSubscription): Promise<PaidPlan> => ({
  ...{ plan: one.plan, ram_gb: one.ram_mb / 1024, term: one.term, currency: one.currency },
  paid_minor: (await paidForPeriod(db, one.id)).reduce((sum, { share_minor }) => sum + share_minor, 0),
  period_start: new Date(one.period_start!),
  period_end: new Date(one.period_end!),
});

/** The change that waits for its payment or for the next period. Refuses `plan_change_pending` when there is one. */
async function assertNoneOpen(db: Db, subscription_id: string): Promise<void> {
  const [open] = await db<Array<{ state: string }>>`
    select state from plan_changes where subscription_id = ${subscription_id} and state in ('paying', 'paid')`;
  if (open) throw new Refused('plan_change_pending');
}

/** Works the change out on a subscription that was read or locked; nothing is written. */
async function outlookOf(
  db: Db,
  actor: Actor,
  one: LockedSubscription,
  wanted: WantedPlan,
  now: Date,
): Promise<PlanOutlook> {
  const server = await findAuthorizedServer(db, actor, one.server_id, now, whyNotChange);
  const wrong = whyNotWanted(wanted);
  if (wrong) throw new Refused(wrong.code, wrong.data);
  assertAllowed(whyNotChangePlan(one.state));
  const change = planChange(await paidPlan(db, one), wanted, now);
  const { ram_mb, cpu_millis, disk_mb, lifecycle_data } = server.view;
  const size = sizeOf(change.ram_gb);
  if (change.kind === 'now') assertAllowed(whyNotResize(server.facts), { step: lifecycle_data.step ?? '' });
  const more = {
    ram_mb: size.ram_mb - ram_mb,
    cpu_millis: size.cpu_millis - cpu_millis,
    disk_mb: Math.max(0, size.disk_mb - disk_mb),
  };
  const no_room = server.node_id === null ? null : await whyNoRoomFor(db, server.node_id, more, size);
  return { ...change, no_room };
}

/**
 * The dry run of a change of plan or interval: when it begins, what is due now, and whether its node has the room. Refuses as
 * `whyNotChange`, `whyNotWanted`, `whyNotChangePlan` and `whyNotResize` say; `subscription_unknown` for a server without one.
 */
export async function previewPlanChange(
  db: Db,
  actor: Actor,
  { server_id, ...wanted }: WantedPlan & { server_id: string },
  now: Date,
): Promise<PlanOutlook & { currency: string }> {
  await findAuthorizedServer(db, actor, server_id, now, whyNotChange);
  const [one] = await db<LockedSubscription[]>`select * from subscriptions where server_id = ${server_id}`;
  if (!one) throw new Refused('subscription_unknown');
  return { ...(await outlookOf(db, actor, one, wanted, now)), currency: one.currency };
}

/**
 * Changes plan or interval: at once with a charge that the caller collects, or with the next period. The same `op_id` twice
 * is one change; a new one replaces a change that is only scheduled. Room on the node is reserved from here on. Refuses as
 * `previewPlanChange`, `plan_unchanged`, `plan_change_pending`, `node_full`, `node_too_small`, `card_required`, `payments_off`, and
 * `operation_mismatch` for an `op_id` of another server, plan or interval.
 */
export async function changePlan(
  tx: Db,
  actor: Actor,
  asked: WantedPlan & { server_id: string; op_id: string },
  how: { method_id: string | null; payments: Pick<Payments, 'name' | 'enabled'> },
  now: Date,
): Promise<{ charge_id: string | null }> {
  const { server_id, op_id, ...wanted } = asked;
  const one = await lockSubscription(tx, actor, server_id, now);
  const [before] = await tx<
    Array<{ charge_id: string | null; server_id: string; plan: string; ram_mb: number; term: string }>
  >`select charge_id, server_id, plan, ram_mb, term from plan_changes where op_id = ${op_id}`;
  if (before) {
    const gb = ramGbOf(before.plan as Plan, wanted.ram_gb);
    const same = before.server_id === server_id && before.plan === wanted.plan && before.ram_mb === gb * 1024;
    if (!same || before.term !== wanted.interval) throw new Refused('operation_mismatch');
    return { charge_id: before.charge_id };
  }
  await assertNoneOpen(tx, one.id);
  // holds the node, so that two changes cannot take the last room
  await tx`select 1 from nodes where id = (select node_id from servers where id = ${server_id}) for update`;
  const { no_room, ...change } = await outlookOf(tx, actor, one, wanted, now);
  if (change.kind === 'none') {
    const dropped = await cancelScheduled(tx, one.id, now);
    if (!dropped) throw new Refused('plan_unchanged');
    return { charge_id: null };
  }
  assertAllowed(no_room);
  await cancelScheduled(tx, one.id, now);
  const due = change.kind === 'now';
  if (due) assertAllowed(whyNotSell(how.payments));
  const method_id = how.method_id ?? one.method_id;
  if (due && !method_id) throw new Refused('card_required');
  if (how.method_id) await tx`update subscriptions set method_id = ${how.method_id} where id = ${one.id}`;
  const { plan, ram_gb, term, price_minor, credit_minor, due_minor, starts, ends } = change;
  const { ram_mb, cpu_millis, disk_mb } = sizeOf(ram_gb);
  const to = { processor: how.payments.name, by: actor };
  const charge = { subscription_id: one.id, reason: 'change' as const, ...to };
  const period = {
    period_start: starts,
    period_end: ends,
    amount_minor: due_minor,
    bought: { ram_mb, term },
  };
  const charge_id = due ? await openCharge(tx, { ...charge, ...period }, now) : null;
  await tx`insert into plan_changes ${tx({
    ...{ id: newId(), op_id, subscription_id: one.id, server_id, state: due ? 'paying' : 'scheduled' },
    ...{ plan, ram_mb, cpu_millis, disk_mb, term, price_minor, credit_minor, charge_id, created: now },
  })}`;
  const data = { plan, ram_mb, term, when: change.kind };
  await recordEvent(tx, { name: 'server.plan_change_requested', actor_id: actor.user_id, server_id, data });
  return { charge_id };
}

/** Takes back a change that waits for the next period. Refuses `server_not_found`, `plan_change_unknown`. */
export async function cancelPlanChange(tx: Db, actor: Actor, server_id: string, now: Date): Promise<void> {
  const one = await lockSubscription(tx, actor, server_id, now);
  if (!(await cancelScheduled(tx, one.id, now))) throw new Refused('plan_change_unknown');
}

async function cancelScheduled(tx: Db, subscription_id: string, now: Date): Promise<boolean> {
  const gone = await tx`
    update plan_changes set state = 'cancelled', ended = ${now}
    where subscription_id = ${subscription_id} and state = 'scheduled' returning id`;
  return gone.length > 0;
}
