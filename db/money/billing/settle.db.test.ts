import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../hosting/servers/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, slowCard, testBilling } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { markSent, openCharge, settle } from './charges.ts';
import { cancel, checkout, collectCharge, resubscribe } from './checkout.ts';
import { deleteServerFor } from './delete-server.ts';
import { paidOrder } from './read.ts';
import { dueSubscriptions, markTried, outOfSync, unsettledCharges } from './renewals.ts';
import { type ChargeReason, type SubscriptionState, subscriptionStates } from './rules.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
const later = new Date('2026-03-01T12:00:00Z');
let actor: Actor;
beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
});
beforeEach(async () => {
  actor = build.actorFor(await build.user(database.sql));
  till.jobs.length = 0;
});

/** A subscription in a state with a pending charge. */
async function waiting(reason: ChargeReason, state: SubscriptionState) {
  const { sql } = database;
  const bought = await checkout(till, actor, orderInput(), reason === 'first' ? slowCard : null, now);
  const [one] = await sql<
    Array<{ id: string }>
  >`select id from subscriptions where order_id = ${bought.order_id}`;
  const subscription_id = one!.id;
  const period = { period_start: later, period_end: new Date('2026-04-01T12:00:00Z') };
  const charge = { subscription_id, reason, processor: 'test', ...period, by: null };
  const opened = reason === 'first' ? null : await sql.begin((tx) => openCharge(tx, charge, now));
  const grace = state === 'grace' ? { grace_until: later, grace_reason: 'cancelled' } : {};
  await sql`update subscriptions set ${sql({ state, ...grace })} where id = ${subscription_id}`;
  const [row] = await sql<Array<{ id: string }>>`
    select id from charges where subscription_id = ${subscription_id} and state in ('open', 'waiting')`;
  expect(opened ?? row!.id).toBe(row!.id);
  till.jobs.length = 0;
  return { ...bought, subscription_id, charge_id: row!.id };
}
const states = async (charge_id: string) => {
  const [row] = await database.sql`
    select c.state as charge, u.state as subscription, o.state as order
    from charges c join subscriptions u on u.id = c.subscription_id join orders o on o.id = u.order_id
    where c.id = ${charge_id}`;
  return row!;
};
const ledger = async (charge_id: string) =>
  Object.fromEntries(
    (
      await database.sql`
        select split_part(e.account_id, ':', 1) as account, sum(e.amount_minor)::int as sum
        from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where t.charge_id = ${charge_id} group by 1`
    ).map(({ account, sum }) => [account, sum]),
  );

/** The state after a payment (`refunded`: it is refunded and the state stays) and after a failure. */
const table: Record<ChargeReason, Record<SubscriptionState, [string, SubscriptionState]>> = {
  first: {
    pending: ['active', 'ended'],
    active: ['refunded', 'active'],
    failed: ['refunded', 'failed'],
    cancelled: ['refunded', 'cancelled'],
    grace: ['refunded', 'grace'],
    ended: ['refunded', 'ended'],
  },
  renewal: {
    pending: ['refunded', 'pending'],
    active: ['active', 'failed'],
    failed: ['active', 'failed'],
    cancelled: ['refunded', 'cancelled'],
    grace: ['refunded', 'grace'],
    ended: ['refunded', 'ended'],
  },
  again: {
    pending: ['refunded', 'pending'],
    active: ['refunded', 'active'],
    failed: ['active', 'failed'],
    cancelled: ['active', 'cancelled'],
    grace: ['active', 'grace'],
    ended: ['refunded', 'ended'],
  },
  change: {
    pending: ['refunded', 'pending'],
    active: ['active', 'active'],
    failed: ['refunded', 'failed'],
    cancelled: ['refunded', 'cancelled'],
    grace: ['refunded', 'grace'],
    ended: ['refunded', 'ended'],
  },
};
const cases = (Object.keys(table) as ChargeReason[]).flatMap((reason) =>
  subscriptionStates.flatMap((state) =>
    (['succeeded', 'failed'] as const).map((outcome) => ({ reason, state, outcome })),
  ),
);

describe('a charge that settles', () => {
  it.each(cases)(
    '$outcome, $reason, while the subscription is $state, is posted to the ledger',
    async (given) => {
      const { reason, state, outcome } = given;
      const { charge_id, order_id } = await waiting(reason, state);
      const [after_success, after_failure] = table[reason][state];
      const refunded = outcome === 'succeeded' && after_success === 'refunded';
      const expected = outcome === 'failed' ? after_failure : refunded ? state : after_success;
      const intent_id = `intent-${charge_id}`;
      const failure = outcome === 'failed' ? 'declined' : null;
      const applied = () =>
        database.sql.begin((tx) =>
          settle(tx, { id: charge_id }, { intent_id, state: outcome, failure }, later),
        );
      const settled = await applied();
      expect(await states(charge_id)).toEqual({
        charge: refunded ? 'refunded' : outcome,
        subscription: expected,
        order: reason !== 'first' ? 'paid' : refunded ? 'refunded' : outcome === 'failed' ? 'failed' : 'paid',
      });
      const activates = reason === 'first' ? 'create_server' : 'reconcile_server';
      const job = refunded ? 'refund_charge' : outcome === 'succeeded' ? activates : null;
      expect(settled).toMatchObject({ charge_id, order_id, job });
      const taken = outcome === 'succeeded' && !refunded ? 1_200 : 0;
      expect(await ledger(charge_id)).toEqual({
        customer: 0,
        income: 0 - taken,
        ...(outcome === 'succeeded' ? { processor: taken } : {}),
      });
      // a repeated outcome changes nothing
      expect((await applied())?.job).toBeNull();
      expect((await states(charge_id)).subscription).toBe(expected);
    },
  );

  it('enqueues the refund of a late payment', async () => {
    const { charge_id } = await waiting('renewal', 'ended');
    expect(await collectCharge(till, charge_id, later)).toMatchObject({ state: 'refunded' });
    expect(till.jobs).toEqual([{ name: 'refund_charge', data: { charge_id } }]);
  });
});

describe('a charge that was not sent yet', () => {
  it('is voided when its subscription is cancelled or its server deleted; a sent one is not', async () => {
    for (const sent of [false, true])
      for (const how of ['cancel', 'delete'] as const) {
        const { sql } = database;
        const { charge_id, server_id, order_id } = await waiting('renewal', 'active');
        await createServer(sql, (await paidOrder(sql, order_id))!);
        if (sent) expect(await markSent(sql, charge_id, now)).toBe(true);
        if (how === 'cancel') await cancel(till, actor, server_id, now);
        else await sql.begin((tx) => deleteServerFor(tx, actor, server_id, now));
        expect((await states(charge_id)).charge).toBe(sent ? 'open' : 'failed');
        expect((await ledger(charge_id)).customer).toBe(sent ? 1_200 : 0);
        expect(await markSent(sql, charge_id, now)).toBe(sent);
      }
  });
});

describe('resubscribing', () => {
  it('in the grace period turns a pending renewal into its payment', async () => {
    const { charge_id, server_id } = await waiting('renewal', 'grace');
    await resubscribe(till, actor, server_id, { interval: null, method: null }, later);
    expect(await states(charge_id)).toMatchObject({ charge: 'succeeded', subscription: 'active' });
    const [one] = await database.sql`
      select period_start, period_end from subscriptions where server_id = ${server_id}`;
    expect(one).toEqual({ period_start: '2026-03-01T12:00:00Z', period_end: '2026-04-01T12:00:00Z' });
  });

  it('is not cancelled while its payment is pending', async () => {
    const { charge_id, server_id } = await waiting('again', 'failed');
    await markSent(database.sql, charge_id, now);
    await expect(cancel(till, actor, server_id, now)).rejects.toMatchObject({ code: 'subscription_pending' });
  });
});

describe('a subscription that always fails', () => {
  it('is tried after the others', async () => {
    const { sql } = database;
    await sql`delete from servers`;
    await sql`update subscriptions set state = 'ended', grace_until = null`;
    await sql`update charges set state = 'failed' where state in ('open', 'waiting')`;
    const one = await waiting('renewal', 'active');
    const two = await waiting('renewal', 'active');
    await sql`update subscriptions set period_end = ${now} where id = ${one.subscription_id}`;
    await sql`update charges set created = created - interval '1 day' where id = ${one.charge_id}`;
    const due = () => dueSubscriptions(sql, later, 1);
    const charge = () => unsettledCharges(sql, 'test', later, 1);
    expect([await due(), await charge()]).toEqual([[one.subscription_id], [one.charge_id]]);
    await markTried(sql, [one.subscription_id], later);
    await markSent(sql, one.charge_id, later);
    expect([await due(), await charge()]).toEqual([[two.subscription_id], [two.charge_id]]);
    for (const { order_id } of [one, two]) await createServer(sql, (await paidOrder(sql, order_id))!);
    await sql`
      update subscriptions set state = 'ended' where id in (${one.subscription_id}, ${two.subscription_id})`;
    expect(await outOfSync(sql, 1)).toEqual([two.subscription_id]);
  });
});
