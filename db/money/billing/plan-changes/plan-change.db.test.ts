import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../../hosting/servers/write.ts';
import { type Actor, operator } from '../../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, slowCard, testBilling, testCard } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { cancel, changePlan, checkout, collectCharge } from '../checkout.ts';
import { balances } from '../ledger.ts';
import { paidByMonth, paidOrder, paymentsOf, subscriptionOf } from '../read.ts';
import { reconcileServer } from '../reconcile.ts';
import { dueSubscriptions, outOfSync, processDue } from '../renewals.ts';
import { refundByStaff } from '../staff-refunds/write.ts';
import { cancelPlanChange, previewPlanChange } from './write.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-04-01T00:00:00Z');
const middle = new Date('2026-04-16T00:00:00Z');
const good = testCard('4242424242424242');
let actor: Actor;
let node_id: string;
let server_id: string;

beforeEach(async () => {
  await database.sql`update servers set node_id = null, port = null`;
  await database.sql`update subscriptions set state = 'ended', grace_until = null`;
  await database.sql`delete from nodes`;
  node_id = await nodeWithRoom(database.sql, { rooms: 3, seen: middle });
  actor = build.actorFor(await build.user(database.sql));
  server_id = await placed();
});

/** A small server on the node that is ready. */
async function placed(plan = 'small'): Promise<string> {
  const input = orderInput({ plan });
  const bought = await checkout(till, actor, input, good, start);
  await createServer(database.sql, (await paidOrder(database.sql, bought.order_id))!);
  const [port] =
    await database.sql`select 27000 + count(*)::int as port from servers where node_id = ${node_id}`;
  const facts = { cpu_millis: 8000, ram_mb: 64 * 1024, disk_mb: 1024 * 1024, kinds: ['local'] };
  await database.sql`update nodes set facts = ${database.sql.json(facts)} where id = ${node_id}`;
  await database.sql`
    update servers set node_id = ${node_id}, port = ${port!.port}, lifecycle = 'ready', seen = '{"installed": 1}'
    where id = ${bought.server_id}`;
  return bought.server_id;
}

const wanted = (plan: string, interval = 'monthly', op_id: string = randomUUID()) => ({
  ...{ server_id, plan, interval, op_id },
});
const stored = async () => {
  const [row] = await database.sql`
    select u.plan, u.ram_mb / 1024 as gb, u.term, u.price_minor::int as price, to_char(u.period_end, 'MM-DD') as until,
      s.ram_mb / 1024 as server_gb, s.plan as server_plan
    from subscriptions u join servers s on s.id = u.server_id where u.server_id = ${server_id}`;
  return row;
};
const lastCharge = async () =>
  (
    await database.sql`select c.reason, c.state, c.amount_minor::int as amount from charges c
      join subscriptions u on u.id = c.subscription_id where u.server_id = ${server_id}
      order by c.created desc limit 1`
  )[0];
async function work(now: Date): Promise<void> {
  till.jobs.length = 0;
  for (const id of await dueSubscriptions(database.sql, now, 100)) {
    const { charge_id } = await database.sql.begin((tx) => processDue(tx, id, 'test', now));
    if (charge_id) await collectCharge(till, charge_id, now);
  }
  for (const id of await outOfSync(database.sql, 100))
    await database.sql.begin((tx) => reconcileServer(tx, id, now));
}

describe('a change of plan', () => {
  it('is shown first, and changes nothing by that', async () => {
    expect(await previewPlanChange(database.sql, actor, wanted('large'), middle)).toMatchObject({
      ...{ kind: 'now', due_minor: 1800, credit_minor: 600, no_room: null, currency: 'USD' },
    });
    expect(await stored()).toMatchObject({ plan: 'small', server_gb: 4 });
  });

  it('to more memory is charged and done now, once', async () => {
    const asked = wanted('large');
    expect(await changePlan(till, actor, asked, null, middle)).toBe('paid');
    for (const other of [{ plan: 'medium' }, { interval: 'yearly' }])
      await expect(changePlan(till, actor, { ...asked, ...other }, null, middle)).rejects.toMatchObject({
        code: 'operation_mismatch',
      });
    expect(await changePlan(till, actor, asked, null, middle)).toBe('paid');
    expect(await lastCharge()).toEqual({ reason: 'change', state: 'succeeded', amount: 1800 });
    expect(till.jobs.map(({ name }) => name)).toContain('reconcile_server');
    await work(middle);
    expect(await stored()).toEqual({
      ...{ plan: 'large', gb: 8, term: 'monthly', price: 2400, until: '05-16' },
      ...{ server_gb: 8, server_plan: 'large' },
    });
    expect((await balances(database.sql)).some(([account]) => account.includes(actor.user_id))).toBe(false);
    // each payment has the plan that it paid for, and the months what was kept
    const { payments } = await paymentsOf(database.sql, { server_id }, 1);
    expect(payments.map(({ plan, ram_mb }) => [plan, ram_mb]).sort()).toEqual([
      ['large', 8192],
      ['small', 4096],
    ]);
    const month = { year: 2026, month: 4, currency: 'USD' };
    expect(await paidByMonth(database.sql, actor)).toEqual([{ ...month, amount_minor: 3_000 }]);
    const refund = {
      op_id: randomUUID(),
      amount_minor: 500,
      seen_minor: null,
      reason: 'lag',
      takes_service: false,
    };
    await database.sql.begin((tx) =>
      refundByStaff(tx, till, operator, { ...refund, charge_id: payments[0]!.id }, middle),
    );
    expect(await paidByMonth(database.sql, actor)).toEqual([{ ...month, amount_minor: 2_500 }]);
  });

  it('whose card is declined leaves everything as it was', async () => {
    const declined = changePlan(till, actor, wanted('large'), testCard('4000000000000002'), middle);
    await expect(declined).rejects.toMatchObject({ code: 'payment_declined' });
    await work(middle);
    expect(await stored()).toMatchObject({ plan: 'small', price: 1200, server_gb: 4, until: '05-01' });
    expect(await changePlan(till, actor, wanted('medium'), good, middle)).toBe('paid');
  });

  it('to less memory begins with the next period and can be taken back', async () => {
    await changePlan(till, actor, wanted('large'), null, middle);
    await work(middle);
    await changePlan(till, actor, wanted('small'), null, middle);
    expect((await subscriptionOf(database.sql, actor, server_id))?.change).toMatchObject({
      ...{ state: 'scheduled', plan: 'small', price_minor: 1200 },
    });
    await database.sql.begin((tx) => cancelPlanChange(tx, actor, server_id, middle));
    const none = database.sql.begin((tx) => cancelPlanChange(tx, actor, server_id, middle));
    await expect(none).rejects.toMatchObject({ code: 'plan_change_unknown' });
    await changePlan(till, actor, wanted('small', 'yearly'), null, middle);
    await changePlan(till, actor, wanted('medium', 'yearly'), null, middle);
    const next = new Date('2026-05-16T00:00:01Z');
    await work(next);
    expect(await lastCharge()).toEqual({ reason: 'renewal', state: 'succeeded', amount: 18_000 });
    expect(await stored()).toMatchObject({ plan: 'medium', term: 'yearly', until: '05-16', server_gb: 8 });
    await database.sql`update servers set lifecycle = 'ready' where id = ${server_id}`;
    await work(next);
    expect(await stored()).toMatchObject({ server_gb: 6, server_plan: 'medium' });
  });

  it('reserves the room, and is refused without it', async () => {
    expect(await changePlan(till, actor, wanted('large'), slowCard, middle)).toBe('waiting');
    const again = changePlan(till, actor, wanted('medium'), null, middle);
    await expect(again).rejects.toMatchObject({ code: 'plan_change_pending' });
    await expect(cancel(till, actor, server_id, middle)).rejects.toMatchObject({
      code: 'subscription_pending',
    });
    const first = server_id;
    server_id = await placed();
    // 12 GB in all: 8 are reserved, 4 are taken
    const full = changePlan(till, actor, wanted('medium'), null, middle);
    await expect(full).rejects.toMatchObject({ code: 'node_full' });
    expect((await previewPlanChange(database.sql, actor, wanted('medium'), middle)).no_room).toBe(
      'node_full',
    );
    expect((await lastCharge())?.reason).toBe('first');
    server_id = first;
  });

  it('of a trial begins a paid plan', async () => {
    server_id = await placed('trial');
    const now = new Date('2026-04-03T00:00:00Z');
    await expect(changePlan(till, actor, wanted('small'), null, now)).rejects.toMatchObject({
      code: 'card_required',
    });
    await changePlan(till, actor, wanted('small'), good, now);
    await work(now);
    expect(await stored()).toMatchObject({
      plan: 'small',
      term: 'monthly',
      price: 1200,
      server_gb: 4,
      until: '05-03',
    });
  });

  it('is refused for others, the same plan and what is not active', async () => {
    const stranger = build.actorFor(await build.user(database.sql));
    const code = (promise: Promise<unknown>) =>
      promise.then(
        () => null,
        (error) => error.code,
      );
    expect(await code(previewPlanChange(database.sql, stranger, wanted('large'), middle))).toBe(
      'server_not_found',
    );
    expect(await code(changePlan(till, stranger, wanted('large'), good, middle))).toBe('server_not_found');
    expect(await code(changePlan(till, actor, wanted('small'), null, middle))).toBe('plan_unchanged');
    expect(await code(changePlan(till, actor, wanted('trial'), null, middle))).toBe('plan_unknown');
    await changePlan(till, actor, wanted('custom'), null, middle).catch(() => {});
    await cancel(till, actor, server_id, middle);
    expect(await code(changePlan(till, actor, wanted('large'), null, middle))).toBe('subscription_cancelled');
  });
});
