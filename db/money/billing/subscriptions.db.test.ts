import { beforeEach, describe, expect, it } from 'vitest';
import { removeUser } from '../../accounts/account/remove.ts';
import { createServer } from '../../hosting/servers/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { refund } from './charges.ts';
import { cancel, checkout, collectCharge, resubscribe } from './checkout.ts';
import { deleteServerFor } from './delete-server.ts';
import { staffSubscriptionsOf } from './desk/read.ts';
import { balances } from './ledger.ts';
import { paidOrder, paymentsOf, subscriptionOf } from './read.ts';
import { reconcileServer } from './reconcile.ts';
import { dueSubscriptions, outOfSync, paidWithoutServer, processDue, unsettledCharges } from './renewals.ts';
import { suspendedAt } from './rules.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-01-31T12:00:00Z');
const at = (text: string) => new Date(`2026-${text}T12:00:01Z`);
const [fails_later, good] = [testCard('4000000000000341'), testCard('4242424242424242')];
let actor: Actor;
let node_id: string;
beforeEach(async () => {
  await database.sql`update servers set node_id = null, port = null`;
  await database.sql`delete from nodes`;
  node_id = await nodeWithRoom(database.sql, { seen: start });
  actor = build.actorFor(await build.user(database.sql));
});

/** An ordered server that is on its node and was ready. */
async function placed(given: Parameters<typeof orderInput>[0] = {}, with_card = good): Promise<string> {
  const { server_id, order_id } = await checkout(till, actor, orderInput(given), with_card, start);
  await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
  const [port] =
    await database.sql`select 26000 + count(*)::int as port from servers where node_id = ${node_id}`;
  await database.sql`
    update servers set node_id = ${node_id}, port = ${port!.port}, lifecycle = 'ready', seen = '{"installed": true}'
    where id = ${server_id}`;
  return server_id;
}

/** Runs the billing job at a given time until nothing is due. */
async function run(now: Date): Promise<void> {
  for (let turn = 0; turn < 3; turn++)
    for (const id of await dueSubscriptions(database.sql, now, 100)) {
      const { charge_id, match } = await database.sql.begin((tx) => processDue(tx, id, 'test', now));
      if (charge_id) await collectCharge(till, charge_id, now);
      if (match) await database.sql.begin((tx) => reconcileServer(tx, id, now));
    }
}
async function stands(server_id: string) {
  const [row] = await database.sql`
    select u.state, to_char(u.period_end at time zone 'UTC', 'MM-DD') as until, s.lifecycle,
      s.lifecycle_data->>'reason' as reason
    from subscriptions u left join servers s on s.id = u.server_id where u.server_id = ${server_id}`;
  return [row?.state, row?.until, row?.lifecycle, row?.reason];
}
const matchAll = async () => {
  for (const { name, data } of till.jobs.splice(0)) {
    if (name === 'reconcile_server')
      await database.sql.begin((tx) =>
        reconcileServer(tx, (data as { subscription_id: string }).subscription_id, start),
      );
  }
};
const paidFor = async (server_id: string) =>
  (
    await database.sql<Array<{ state: string }>>`
      select c.state from charges c join subscriptions u on u.id = c.subscription_id
      where u.server_id = ${server_id} order by c.created, c.id`
  ).map(({ state }) => state);

describe('a subscription', () => {
  it('renews at the end of each month, on the 31st where there is one, and once for concurrent runs', async () => {
    const id = await placed();
    await run(at('02-27'));
    expect(await stands(id)).toEqual(['active', '02-28', 'ready', null]);
    await Promise.all([run(at('02-28')), run(at('02-28'))]);
    expect(await stands(id)).toEqual(['active', '03-31', 'ready', null]);
    expect(await paidFor(id)).toEqual(['succeeded', 'succeeded']);
    await run(at('03-31'));
    expect(await stands(id)).toEqual(['active', '04-30', 'ready', null]);
    expect((await balances(database.sql)).some(([account]) => account.includes(actor.user_id))).toBe(false);
  });

  it('charges nothing for periods missed during a long outage', async () => {
    const id = await placed();
    await run(at('06-15'));
    expect(await stands(id)).toEqual(['active', '07-15', 'ready', null]);
    expect(await paidFor(id)).toHaveLength(2);
  });

  it('whose card fails is retried three times, then suspended, and its server deleted after the grace period', async () => {
    const id = await placed({}, fails_later);
    await run(at('02-28'));
    expect(await stands(id)).toEqual(['failed', '02-28', 'ready', null]);
    for (const day of ['02-28', '03-01', '03-02', '03-03', '03-04', '03-05', '03-06']) await run(at(day));
    expect([await stands(id), await paidFor(id)]).toEqual([
      ['failed', '02-28', 'ready', null],
      ['succeeded', 'failed', 'failed', 'failed'],
    ]);
    // the day that its owner is told
    expect(suspendedAt(at('02-28'))).toEqual(at('03-07'));
    await run(at('03-07'));
    expect(await stands(id)).toEqual(['grace', '02-28', 'suspended', 'payment_failed']);
    expect(await paidFor(id)).toEqual(['succeeded', 'failed', 'failed', 'failed', 'failed']);
    await run(at('03-13'));
    expect(await stands(id)).toEqual(['grace', '02-28', 'suspended', 'payment_failed']);
    await run(at('03-14'));
    expect(await stands(id)).toEqual(['ended', '02-28', 'deprovisioning', null]);
    expect((await balances(database.sql)).some(([account]) => account.includes(actor.user_id))).toBe(false);
  });

  it('whose payment failed can be paid with another card, or cancelled', async () => {
    const id = await placed({}, fails_later);
    await run(at('02-28'));
    const declined = resubscribe(
      till,
      actor,
      id,
      { interval: null, method: testCard('4000000000000002') },
      at('03-01'),
    );
    await expect(declined).rejects.toMatchObject({ code: 'payment_declined' });
    expect((await stands(id))[0]).toBe('failed');
    await resubscribe(till, actor, id, { interval: 'yearly', method: good }, at('03-01'));
    expect(await stands(id)).toEqual(['active', '03-01', 'ready', null]);
    const other = await placed({}, fails_later);
    await run(at('02-28'));
    till.jobs.length = 0;
    await cancel(till, actor, other, at('03-01'));
    await matchAll();
    expect(await stands(other)).toEqual(['grace', '02-28', 'suspended', 'payment_failed']);
  });

  it('keeps why it was canceled until it goes on, or its owner is gone', async () => {
    const id = await placed();
    const said = async () => {
      const [row] = await database.sql`
        select cancel_reason, cancel_note from subscriptions where server_id = ${id}`;
      return { ...row };
    };
    const answer = { cancel_reason: 'price', cancel_note: 'Too much for two players' } as const;
    const silent = { cancel_reason: null, cancel_note: null };
    await cancel(till, actor, id, at('02-10'), answer);
    expect(await said()).toEqual(answer);
    const [seen] = await staffSubscriptionsOf(database.sql, actor.user_id);
    expect(seen).toMatchObject(answer);
    await resubscribe(till, actor, id, { interval: null, method: null }, at('02-11'));
    expect(await said()).toEqual(silent);
    await cancel(till, actor, id, at('02-12'));
    expect(await said()).toEqual(silent);
    await resubscribe(till, actor, id, { interval: null, method: null }, at('02-13'));
    await cancel(till, actor, id, at('02-14'), answer);
    await database.sql`update subscriptions set state = 'ended' where server_id = ${id}`;
    await database.sql`delete from servers where id = ${id}`;
    await database.sql.begin((tx) => removeUser(tx, actor, actor.user_id, at('02-15')));
    expect(await said()).toEqual({ cancel_reason: 'price', cancel_note: null });
  });

  it('that is cancelled runs until its period ends, and can be renewed during its grace period of a week', async () => {
    const id = await placed();
    await cancel(till, actor, id, at('02-10'));
    expect(await stands(id)).toEqual(['cancelled', '02-28', 'ready', null]);
    await expect(cancel(till, actor, id, at('02-10'))).rejects.toMatchObject({
      code: 'subscription_cancelled',
    });
    await resubscribe(till, actor, id, { interval: null, method: null }, at('02-11'));
    expect([await stands(id), await paidFor(id)]).toEqual([
      ['active', '02-28', 'ready', null],
      ['succeeded'],
    ]);
    await cancel(till, actor, id, at('02-12'));
    await run(at('02-28'));
    expect(await stands(id)).toEqual(['grace', '02-28', 'suspended', 'cancelled']);
    // the panel says until when
    const [said] = await database.sql`
      select lifecycle_data->>'until' as until, to_char(grace_until at time zone 'UTC', 'YYYY-MM-DD') as day
      from servers s join subscriptions u on u.server_id = s.id where s.id = ${id}`;
    expect(said!.until).toContain(said!.day);
    till.jobs.length = 0;
    await resubscribe(till, actor, id, { interval: null, method: null }, at('03-03'));
    await matchAll();
    expect(await stands(id)).toEqual(['active', '04-03', 'ready', null]);
    expect(await paidFor(id)).toEqual(['succeeded', 'succeeded']);
  });

  it('of a server that never had a node ends at once with a full refund', async () => {
    const { server_id, order_id } = await checkout(till, actor, orderInput(), good, start);
    await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
    till.jobs.length = 0;
    await cancel(till, actor, server_id, start);
    const jobs = [...till.jobs];
    await matchAll();
    expect((await stands(server_id)).slice(0, 3)).toEqual(['ended', '02-28', null]);
    expect(await paidFor(server_id)).toEqual(['refunded']);
    expect(jobs.map(({ name }) => name).sort()).toEqual(['reconcile_server', 'refund_charge']);
    const given = jobs.find(({ name }) => name === 'refund_charge')!.data as { charge_id: string };
    await refund(database.sql, till.payments, given, start);
    for (const { sum } of await database.sql`
      select sum(amount_minor)::int8 as sum from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where t.charge_id = ${given.charge_id} group by e.account_id`)
      expect(sum).toBe(0);
  });

  it('whose node was lost ends at once when it is canceled: the payment of its period is given back', async () => {
    const id = await placed();
    await run(at('02-28'));
    expect(await paidFor(id)).toEqual(['succeeded', 'succeeded']);
    await database.sql`update servers set node_id = null, port = null where id = ${id}`;
    await cancel(till, actor, id, at('03-01'));
    expect((await stands(id))[0]).toBe('ended');
    expect(await paidFor(id)).toEqual(['succeeded', 'refunded']);
  });

  it('ends when the owner deletes the server, without further charges', async () => {
    const id = await placed();
    await database.sql.begin((tx) => deleteServerFor(tx, actor, id, start));
    expect(await stands(id)).toEqual(['ended', '02-28', 'deprovisioning', null]);
    await run(at('02-28'));
    expect(await paidFor(id)).toEqual(['succeeded']);
  });

  it('is neither visible to strangers nor changeable by them', async () => {
    const id = await placed();
    const stranger = build.actorFor(await build.user(database.sql));
    const refused = { code: 'server_not_found' };
    await expect(cancel(till, stranger, id, start)).rejects.toMatchObject(refused);
    await expect(cancel(till, stranger, 'Unknown1', start)).rejects.toMatchObject(refused);
    const again = resubscribe(till, stranger, id, { interval: null, method: null }, start);
    await expect(again).rejects.toMatchObject(refused);
    await expect(subscriptionOf(database.sql, stranger, id)).rejects.toMatchObject(refused);
    await expect(subscriptionOf(database.sql, null, id)).rejects.toMatchObject({
      code: 'authentication_required',
    });
    expect(await subscriptionOf(database.sql, actor, id)).toMatchObject({
      ...{ state: 'active', term: 'monthly', price_minor: 1200, plan: 'small', name: 'Valley' },
      card: { brand: 'Visa', last_four: '4242' },
    });
  });
});

describe('a trial', () => {
  it('ends after five days, has a grace period of a week, and continues when it is paid', async () => {
    const id = await placed({ plan: 'trial' });
    await run(at('02-04'));
    expect(await stands(id)).toEqual(['active', '02-05', 'ready', null]);
    await run(at('02-05'));
    expect(await stands(id)).toEqual(['grace', '02-05', 'suspended', 'trial_ended']);
    expect(await paidFor(id)).toEqual([]);
    const free = resubscribe(till, actor, id, { interval: null, method: good }, at('02-06'));
    await expect(free).rejects.toMatchObject({ code: 'interval_unknown' });
    const unpaid = resubscribe(till, actor, id, { interval: 'monthly', method: null }, at('02-06'));
    await expect(unpaid).rejects.toMatchObject({ code: 'card_required' });
    till.jobs.length = 0;
    await resubscribe(till, actor, id, { interval: 'monthly', method: good }, at('02-06'));
    await matchAll();
    expect(await stands(id)).toEqual(['active', '03-06', 'ready', null]);
    const [charge] = await database.sql`
      select amount_minor from charges where user_id = ${actor.user_id} and state = 'succeeded'`;
    expect(charge?.amount_minor).toBe(900);
  });

  it('that is not paid is deleted after its grace period', async () => {
    const id = await placed({ plan: 'trial' });
    await run(at('02-05'));
    await run(at('02-13'));
    expect(await stands(id)).toEqual(['ended', '02-05', 'deprovisioning', null]);
    const again = checkout(till, actor, orderInput({ plan: 'trial' }), null, at('02-14'));
    await expect(again).rejects.toMatchObject({ code: 'trial_used' });
  });
});

describe('recovery of lost work', () => {
  it('finds servers never created or suspended, and charges never settled', async () => {
    const bought = await checkout(till, actor, orderInput(), good, start);
    expect(await paidWithoutServer(database.sql, start, 100)).toContain(bought.order_id);
    const id = await placed();
    const [one] = await database.sql`select id from subscriptions where server_id = ${id}`;
    await cancel(till, actor, id, start);
    await database.sql.begin((tx) => processDue(tx, one!.id, 'test', at('02-28')));
    expect(await outOfSync(database.sql, 100)).toContain(one!.id);
    await database.sql.begin((tx) => reconcileServer(tx, one!.id, start));
    expect(await outOfSync(database.sql, 100)).not.toContain(one!.id);
    const waits = await checkout(till, actor, orderInput(), testCard('4000000000003220'), start);
    expect(waits.state).toBe('waiting');
    const [open] = await unsettledCharges(database.sql, 'test', start, 100);
    expect((await collectCharge(till, open!, at('02-01')))?.state).toBe('succeeded');
    expect(await unsettledCharges(database.sql, 'test', start, 100)).toEqual([]);
  });

  it('keeps a suspension by staff', async () => {
    const id = await placed();
    await database.sql`
      update servers set lifecycle = 'suspended', lifecycle_data = '{"reason": "moderated"}' where id = ${id}`;
    const [one] = await database.sql`select id from subscriptions where server_id = ${id}`;
    expect(await database.sql.begin((tx) => reconcileServer(tx, one!.id, start))).toBeNull();
    expect(await stands(id)).toEqual(['active', '02-28', 'suspended', 'moderated']);
  });
});

describe('the payments of a subscription', () => {
  it('are listed newest first, a page at a time', async () => {
    const id = await placed({}, fails_later);
    for (const day of ['02-28', '03-01', '03-03']) await run(at(day));
    const { payments, page, pages } = await paymentsOf(database.sql, { server_id: id }, 1);
    expect(payments.map(({ reason, state }) => [reason, state])).toEqual([
      ...[0, 1, 2].map(() => ['renewal', 'failed']),
      ['first', 'succeeded'],
    ]);
    expect(payments.at(-1)).toMatchObject({
      ...{ amount_minor: 1_200, currency: 'USD', card: { brand: 'Visa', last_four: '0341' } },
      ...{
        created: expect.stringContaining('2026-01-31'),
        period_end: expect.stringContaining('2026-02-28'),
      },
    });
    expect([page, pages]).toEqual([1, 1]);

    await database.sql`
      insert into charges (id, subscription_id, user_id, method_id, reason, state, amount_minor, currency, period_start,
        period_end, processor, failure, created, settled, product, ram_mb, term)
      select c.id || 'x' || n, c.subscription_id, c.user_id, c.method_id, c.reason, c.state, c.amount_minor, c.currency,
        c.period_start, c.period_end, c.processor, c.failure, c.created, c.settled, c.product, c.ram_mb, c.term
      from charges c join subscriptions u on u.id = c.subscription_id, generate_series(1, 9) n
      where u.server_id = ${id} and c.reason = 'first'`;
    const sizes = async (requested: number) => {
      const listed = await paymentsOf(database.sql, { server_id: id }, requested);
      return [listed.payments.length, listed.page, listed.pages];
    };
    expect([await sizes(1), await sizes(2), await sizes(99), await sizes(-1)]).toEqual([
      ...[
        [10, 1, 2],
        [3, 2, 2],
        [3, 2, 2],
        [10, 1, 2],
      ],
    ]);
  });

  it('are not given back when the server is deleted, on a node or not', async () => {
    const on_node = await placed();
    const { server_id, order_id } = await checkout(till, actor, orderInput(), good, start);
    await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
    for (const id of [on_node, server_id]) {
      await database.sql.begin((tx) => deleteServerFor(tx, actor, id, start));
      expect((await paymentsOf(database.sql, { server_id: id }, 1)).payments).toMatchObject([
        { state: 'succeeded' },
      ]);
    }
  });
});
