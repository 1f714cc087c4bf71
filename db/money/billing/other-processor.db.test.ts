import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Actor, operator } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, signWebhook, slowCard, testBilling } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { openCharge, refund, unsentRefunds } from './charges.ts';
import { checkout, collectCharge, confirmPayment, handleWebhook, resubscribe } from './checkout.ts';
import { dueSubscriptions, processDue, unsettledCharges } from './renewals.ts';
import { refundByStaff } from './staff-refunds/write.ts';

/** What another processor knows of, while the sandbox is set up. */
const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-01-31T12:00:00Z');
const later = new Date('2026-03-01T12:00:00Z');
let actor: Actor;
beforeEach(async () => {
  await nodeWithRoom(database.sql, { seen: start });
  await database.sql`update subscriptions set state = 'ended', grace_until = null`;
  actor = build.actorFor(await build.user(database.sql));
});

const charge = async () => {
  const [row] = await database.sql<
    Array<{ id: string; state: string; intent_id: string | null; failure: string | null }>
  >`
    select id, state, intent_id, failure from charges where user_id = ${actor.user_id} order by created desc limit 1`;
  return row!;
};
const subscription = async () => {
  const [row] = await database.sql<Array<{ id: string; state: string; server_id: string }>>`
    select id, state, server_id from subscriptions where user_id = ${actor.user_id}`;
  return row!;
};
/** Everything of the payer becomes that of Stripe. */
const atStripe = () => database.sql`
  update charges set processor = 'stripe', intent_id = case when intent_id is null then null else 'pi_' || id end
  where user_id = ${actor.user_id}`;

describe('a charge that another processor has', () => {
  it('is not decided by this one: it waits', async () => {
    await checkout(till, actor, orderInput(), slowCard, start);
    await atStripe();
    const { id, intent_id } = await charge();
    expect(await unsettledCharges(database.sql, 'test', later, 100)).not.toContain(id);
    expect(await unsettledCharges(database.sql, 'stripe', later, 100)).toContain(id);
    expect(await collectCharge(till, id, later)).toMatchObject({ state: 'waiting', job: null });
    const { server_id } = await subscription();
    expect(await confirmPayment(till, actor, server_id, later)).toEqual({
      client_secret: null,
      state: 'waiting',
    });
    const outcome = { intent_id, state: 'succeeded', failure: null };
    const body = JSON.stringify({ id: randomUUID(), outcome });
    await handleWebhook(till, await signWebhook(database.sql, body, later), body, later);
    expect(await charge()).toMatchObject({ state: 'waiting', intent_id });
    expect((await subscription()).state).toBe('pending');
  });

  it('is not paid for the second time by who resubscribes', async () => {
    await checkout(till, actor, orderInput(), null, start);
    const { id, server_id } = await subscription();
    await database.sql`
      update subscriptions set state = 'grace', grace_until = ${later}, grace_reason = 'payment_failed' where id = ${id}`;
    const period = { period_start: start, period_end: later };
    const ask = { subscription_id: id, reason: 'again' as const, processor: 'stripe', ...period, by: null };
    const charge_id = await database.sql.begin((tx) => openCharge(tx, ask, start));
    await database.sql`update charges set last_tried = ${start} where id = ${charge_id}`;
    const again = resubscribe(till, actor, server_id, { interval: null, method: null }, later);
    expect(await again).toBe('waiting');
    const open = await database.sql`
      select id, state from charges where subscription_id = ${id} and state in ('open', 'waiting')`;
    expect([...open]).toEqual([{ id: charge_id, state: 'open' }]);
  });

  it('and that was never sent ends, so that the next one is this processor’s', async () => {
    await checkout(till, actor, orderInput(), null, start);
    const { id } = await subscription();
    const due = () => database.sql.begin((tx) => processDue(tx, id, 'stripe', later));
    expect(await dueSubscriptions(database.sql, later, 100)).toContain(id);
    const { charge_id } = await due();
    expect(await unsettledCharges(database.sql, 'test', later, 100)).toContain(charge_id);
    expect(await collectCharge(till, charge_id!, later)).toMatchObject({
      ...{ state: 'failed', failure: 'card_required', renewal_failed: true },
    });
  });
});

describe('a refund of a charge that another processor has', () => {
  it('is not taken for sent', async () => {
    await checkout(till, actor, orderInput(), null, start);
    await atStripe();
    const { id } = await charge();
    const input = { op_id: randomUUID(), charge_id: id, amount_minor: 100, seen_minor: null };
    const desk = { ...till, payments: { ...till.payments, name: 'stripe' } };
    const { refund_id } = await database.sql.begin((tx) =>
      refundByStaff(tx, desk, operator, { ...input, reason: 'lag', takes_service: false }, start),
    );
    const sent = async () => {
      const [row] = await database.sql`select sent is not null as sent from refunds where id = ${refund_id}`;
      return row!.sent;
    };
    await refund(database.sql, till.payments, { charge_id: id, refund_id }, later);
    expect(await sent()).toBe(false);
    expect(await unsentRefunds(database.sql, 'test', later, 100)).not.toContain(refund_id);
    expect(await unsentRefunds(database.sql, 'stripe', later, 100)).toContain(refund_id);
    await refund(database.sql, desk.payments, { charge_id: id, refund_id }, later);
    expect(await sent()).toBe(true);
  });
});
