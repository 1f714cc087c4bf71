import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../people/rules.ts';
import { nodeWithRoom, orderInput, testBilling } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import type { CardKind } from '../../../testing/stripe/account.ts';
import { type StripeSimulator, stripeKeys, stripeSimulator } from '../../../testing/stripe/simulator.ts';
import { refund } from '../../charges.ts';
import {
  type BillingContext,
  cancel,
  checkout,
  collectCharge,
  handleWebhook,
  resubscribe,
} from '../../checkout.ts';
import { beginMethod } from '../../customers.ts';
import { balances } from '../../ledger.ts';
import { dueSubscriptions, processDue, unsettledCharges } from '../../renewals.ts';
import { addDays } from '../../rules.ts';
import { stripePayments } from './adapter.ts';
import { fromStripe } from './amounts.ts';

const database = testDatabase();
// the simulator has the time of this machine
const now = new Date();
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
let stripe: StripeSimulator;
let till: BillingContext & { jobs: Array<{ name: string; data: object }> };
let actor: Actor;

beforeAll(async () => {
  stripe = await stripeSimulator();
  const { jobs, board, mailing } = testBilling(database);
  const payments = stripePayments({ ...stripeKeys, STRIPE_API_URL: stripe.address }, { timeout: 700 });
  till = { sql: database.sql, payments, board, mailing, jobs };
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
});
afterAll(() => stripe.close());
beforeEach(async () => {
  actor = build.actorFor(await build.user(database.sql));
  till.jobs.length = 0;
});
/** After every step the ledger sums to zero, and its account of the processor has what the processor has. */
afterEach(async () => {
  const all = await balances(database.sql);
  const sums = new Map<string, number>();
  for (const [, currency, minor] of all) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
  const booked = all.filter(([account]) => account === 'processor:stripe_test');
  const held = [...stripe.account.balance]
    .filter(([, amount]) => amount !== 0)
    .map(([currency, amount]) => [
      'processor:stripe_test',
      currency.toUpperCase(),
      fromStripe(amount, currency),
    ])
    .sort();
  expect(booked).toEqual(held);
});

/** A card that the actor entered in a browser. */
async function card(kind: CardKind, who = actor) {
  const { client_secret } = await beginMethod(till.sql, till.payments, who, now);
  return { confirmed: stripe.account.enterCard(client_secret, kind) };
}
const order = async (kind: CardKind, given: Parameters<typeof orderInput>[0] = {}) =>
  await checkout(till, actor, orderInput(given), await card(kind), now);
/** What became of the newest charge of the actor. */
async function newest() {
  const [row] = await database.sql<
    Array<{ id: string; intent_id: string | null; charge: string; failure: string | null; order: string }>
  >`
    select c.id, c.intent_id, c.state as charge, c.failure, c.dispute, u.state as subscription, o.state as order
    from charges c join subscriptions u on u.id = c.subscription_id join orders o on o.id = u.order_id
    where c.user_id = ${actor.user_id} order by c.created desc, c.settled desc nulls first limit 1`;
  return row!;
}
const intents = () => [...stripe.account.intents.values()];
const mine = async () => {
  const [row] = await database.sql<Array<{ reference: string }>>`
    select reference from payment_customers where user_id = ${actor.user_id}`;
  return intents().filter(({ customer }) => customer === row?.reference);
};
/** Sends the webhooks of these types about the actor's payments, oldest first. */
async function hear(...types: string[]): Promise<boolean[]> {
  const own = new Set((await mine()).map(({ id }) => id));
  const heard: boolean[] = [];
  for (const type of types)
    for (const event of stripe.account.events.filter((one) => one.type === type)) {
      const { id, payment_intent } = event.data.object as { id: string; payment_intent?: string };
      if (own.has(payment_intent ?? id)) heard.push(await send(event));
    }
  return heard;
}
const send = async (event: (typeof stripe.account.events)[number], at = now, key?: string) => {
  const { body, signature } = stripe.webhook(event, at, key);
  return await handleWebhook(till, signature, body, at);
};
/** What the job of every minute does at this time. */
async function runBilling(at: Date): Promise<void> {
  for (const id of await dueSubscriptions(till.sql, at, 100)) {
    const { charge_id } = await till.sql.begin((tx) => processDue(tx, id, till.payments.name, at));
    if (charge_id) await collectCharge(till, charge_id, at);
  }
  for (const id of await unsettledCharges(till.sql, at, 100)) await collectCharge(till, id, at);
}
const jobs = () => till.jobs.map(({ name }) => name);

describe('an order', () => {
  it('is paid at once, by one customer however often somebody orders', async () => {
    const bought = await order('good');
    expect(bought.state).toBe('paid');
    expect(await newest()).toMatchObject({ charge: 'succeeded', order: 'paid' });
    await order('good', { currency: 'JPY' });
    await order('good', { currency: 'KWD' });
    expect(new Set((await mine()).map(({ customer }) => customer)).size).toBe(1);
    expect((await mine()).map(({ amount, currency }) => [amount, currency])).toEqual([
      [1200, 'usd'],
      [1840, 'jpy'],
      [3680, 'kwd'],
    ]);
  });

  it('is one payment for two browsers that send it at once', async () => {
    const [input, given] = [orderInput(), await card('good')];
    await Promise.all([checkout(till, actor, input, given, now), checkout(till, actor, input, given, now)]);
    expect(await mine()).toHaveLength(1);
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
  });

  it.each([
    ['declined', 'declined'],
    ['insufficient', 'insufficient_funds'],
  ] as const)('with a card that is %s is refused and ends', async (kind, reason) => {
    await expect(order(kind)).rejects.toMatchObject({ code: 'payment_declined', data: { reason } });
    expect(await newest()).toMatchObject({ charge: 'failed', order: 'failed', failure: reason });
    // its webhook changes nothing more
    await hear('payment_intent.payment_failed');
    expect(await newest()).toMatchObject({ charge: 'failed', order: 'failed' });
  });
});

describe('a payment that the bank asks about', () => {
  it('waits for its payer, and is paid when the payer agrees', async () => {
    expect((await order('asks')).state).toBe('waiting');
    const { intent_id } = await newest();
    const { confirm } = await till.payments.retrieve(intent_id!, now);
    stripe.account.authenticate(confirm!, true);
    expect(await hear('payment_intent.succeeded')).toEqual([true]);
    expect(await newest()).toMatchObject({ charge: 'succeeded', order: 'paid' });
    expect(jobs()).toEqual(['create_server']);
  });

  it('fails when the payer refuses, and nobody can pay it any more', async () => {
    await order('asks');
    const [intent] = await mine();
    stripe.account.authenticate(intent!.client_secret, false);
    await hear('payment_intent.payment_failed');
    expect(await newest()).toMatchObject({
      charge: 'failed',
      failure: 'authentication_required',
      order: 'failed',
    });
    expect(stripe.account.intent(intent!.id).status).toBe('canceled');
  });

  it('is canceled when nobody answers for an hour', async () => {
    await order('asks');
    await runBilling(later(30));
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    await runBilling(later(90));
    expect(await newest()).toMatchObject({ charge: 'failed', failure: 'authentication_required' });
    expect((await mine()).map(({ status }) => status)).toEqual(['canceled']);
  });
});

describe('money that was taken without an answer', () => {
  it.each(['500_after', 'hang_after'] as const)('is found at once: %s', async (fault) => {
    stripe.faults.push(fault);
    expect((await order('good')).state).toBe('paid');
    expect(await mine()).toHaveLength(1);
  });

  it.each(['webhook', 'run of billing'])('is found by the next %s when Stripe was gone', async (how) => {
    stripe.faults.push('vanish');
    expect((await order('good')).state).toBe('waiting');
    expect(await newest()).toMatchObject({ charge: 'waiting', intent_id: null });
    await runBilling(later(1));
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    stripe.down = false;
    stripe.forget();
    if (how === 'webhook') await hear('payment_intent.succeeded');
    else await runBilling(later(2));
    expect(await newest()).toMatchObject({ charge: 'succeeded', order: 'paid' });
    await runBilling(later(3));
    expect(await mine()).toHaveLength(1);
  });

  it('is not supposed: what never arrived is charged later, once', async () => {
    stripe.faults.push('hang');
    expect((await order('good')).state).toBe('waiting');
    expect(await mine()).toHaveLength(0);
    await runBilling(later(1));
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
    expect(await mine()).toHaveLength(1);
  });

  it('is not supposed after a 500 either, which Stripe repeats until it forgets the key', async () => {
    stripe.faults.push('500_before');
    expect((await order('good')).state).toBe('waiting');
    await runBilling(later(1));
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    stripe.forget();
    await runBilling(later(2));
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
    expect(await mine()).toHaveLength(1);
  });
});

describe('a renewal', () => {
  /** The end of the first month, with nobody there. */
  const renewed = addDays(now, 32);
  const subscription = async (server_id: string) =>
    (await database.sql`select state from subscriptions where server_id = ${server_id}`)[0]?.state;

  it('is charged without its payer, once', async () => {
    const { server_id } = await order('good');
    await runBilling(renewed);
    await runBilling(renewed);
    expect(await mine()).toHaveLength(2);
    expect(await subscription(server_id)).toBe('active');
  });

  it.each([
    ['fails_later', 'declined'],
    ['asks', 'authentication_required'],
  ] as const)('with a card that %s fails, and its payer is told why', async (kind, failure) => {
    const { server_id } = await order(kind);
    for (const { status, client_secret } of await mine())
      if (status === 'requires_action') stripe.account.authenticate(client_secret, true);
    await hear('payment_intent.succeeded');
    await runBilling(renewed);
    expect(await newest()).toMatchObject({ charge: 'failed', failure });
    expect(await subscription(server_id)).toBe('failed');
    const mails = await database.sql`
      select template from mails where user_id = ${actor.user_id} and template like 'payment%'`;
    expect(mails.map(({ template }) => template)).toEqual([
      kind === 'asks' ? 'payment_unconfirmed' : 'payment_failed',
    ]);
    // the payer comes back and pays, with the bank's question
    const state = await resubscribe(till, actor, server_id, { interval: null, method: null }, renewed);
    expect(state).toBe(kind === 'asks' ? 'waiting' : 'paid');
    for (const { status, client_secret } of await mine())
      if (status === 'requires_action') stripe.account.authenticate(client_secret, true);
    await hear('payment_intent.succeeded');
    expect(await subscription(server_id)).toBe('active');
  });
});

describe('a refund', () => {
  it('gives the whole amount back, once, also when the key is forgotten', async () => {
    const { server_id } = await order('good');
    await cancel(till, actor, server_id, now);
    const { id } = await newest();
    expect(jobs()).toContain('refund_charge');
    await refund(database.sql, till.payments, id);
    stripe.forget();
    await refund(database.sql, till.payments, id);
    const [intent] = await mine();
    expect(stripe.account.refunds.filter((one) => one.payment_intent === intent!.id)).toMatchObject([
      { amount: 1200 },
    ]);
    expect(await newest()).toMatchObject({ charge: 'refunded', order: 'refunded' });
  });

  it('waits while Stripe is gone, and is content with one that the operator gave', async () => {
    const { server_id } = await order('good');
    await cancel(till, actor, server_id, now);
    const { id, intent_id } = await newest();
    stripe.down = true;
    await expect(refund(database.sql, till.payments, id)).rejects.toMatchObject({
      code: 'payments_unreachable',
    });
    stripe.down = false;
    stripe.account.refund(intent_id!, 1200, {});
    await refund(database.sql, till.payments, id);
  });
});

describe('a dispute', () => {
  it('takes the money and marks the charge; one that is won gives it back', async () => {
    await order('good');
    const { intent_id } = await newest();
    const dispute = stripe.account.dispute(intent_id!);
    await hear('charge.dispute.created', 'charge.dispute.funds_withdrawn');
    expect(await newest()).toMatchObject({ charge: 'succeeded', dispute: 'open', subscription: 'active' });
    stripe.account.decideDispute(dispute, 'won');
    await hear('charge.dispute.closed', 'charge.dispute.created');
    expect(await newest()).toMatchObject({ dispute: 'won' });
  });

  it('that is lost stays lost, in whatever order its webhooks come', async () => {
    await order('good');
    const { intent_id } = await newest();
    stripe.account.decideDispute(stripe.account.dispute(intent_id!), 'lost');
    await hear('charge.dispute.closed', 'charge.dispute.funds_withdrawn', 'charge.dispute.created');
    expect(await newest()).toMatchObject({ dispute: 'lost' });
    const events = await database.sql`
      select data->>'state' as state from events where name = 'charge.disputed' and user_id = ${actor.user_id}`;
    expect(events.map(({ state }) => state)).toEqual(['lost']);
  });
});

describe('a webhook', () => {
  const succeeded = async () => {
    await order('good');
    const { intent_id } = await newest();
    return stripe.account.events.find(
      ({ type, data }) =>
        type === 'payment_intent.succeeded' && (data.object as { id: string }).id === intent_id,
    )!;
  };

  it('counts once', async () => {
    const event = await succeeded();
    const both = await Promise.all([send(event), send(event)]);
    expect(both.sort()).toEqual([false, true]);
    expect(await send(event)).toBe(false);
  });

  it('that is forged, altered, unsigned or old is refused', async () => {
    const event = await succeeded();
    await expect(send(event, now, 'whsec_other')).rejects.toMatchObject({ code: 'webhook_signature' });
    const { body, signature } = stripe.webhook(event, now);
    const altered = handleWebhook(till, signature, body.replace('1200', '9200'), now);
    await expect(altered).rejects.toMatchObject({ code: 'webhook_signature' });
    for (const none of [null, '', 't=1,v1=0'])
      await expect(handleWebhook(till, none, body, now)).rejects.toMatchObject({ code: 'webhook_signature' });
    await expect(handleWebhook(till, signature, body, later(6))).rejects.toMatchObject({
      code: 'webhook_stale',
    });
  });

  it('is not believed: what it says happened is read again', async () => {
    await order('asks');
    const [intent] = await mine();
    const lie = {
      id: 'evt_lie',
      type: 'payment_intent.succeeded',
      data: { object: { ...intent!, status: 'succeeded' } },
    };
    expect(await send(lie)).toBe(true);
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    stripe.account.authenticate(intent!.client_secret, true);
    // the older event comes last
    await hear('payment_intent.succeeded', 'payment_intent.requires_action', 'payment_intent.created');
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
  });

  it('about something else is noted and changes nothing', async () => {
    const known = { id: 'pi_1', metadata: {} };
    stripe.account.intents.set('pi_1', { ...known, object: 'payment_intent', status: 'succeeded' } as never);
    for (const type of ['payment_intent.succeeded', 'customer.created', 'charge.refunded'])
      expect(await send({ id: `evt_${type}`, type, data: { object: known } })).toBe(true);
    stripe.account.intents.delete('pi_1');
  });

  it('that comes while Stripe cannot be asked is refused, so that it is sent again', async () => {
    const event = await succeeded();
    stripe.down = true;
    await expect(send(event)).rejects.toMatchObject({ code: 'payments_unreachable', status: 503 });
    stripe.down = false;
    expect(await send(event)).toBe(true);
  });
});

describe('a payment method', () => {
  const buy = (given: Parameters<typeof checkout>[3]) => checkout(till, actor, orderInput(), given, now);

  it('is refused when it is of somebody else, unknown, not confirmed, expired, or a card number', async () => {
    const other = build.actorFor(await build.user(database.sql));
    const theirs = await card('good', other);
    await expect(buy(theirs)).rejects.toMatchObject({ code: 'method_unconfirmed' });
    for (const confirmed of ['seti_none', 'pm_card_visa', '', '../customers', 'seti_'.padEnd(400, 'x')])
      await expect(buy({ confirmed })).rejects.toMatchObject({ code: 'method_unconfirmed' });
    const { client_secret } = await beginMethod(till.sql, till.payments, actor, now);
    const begun = client_secret.split('_secret')[0]!;
    await expect(buy({ confirmed: begun })).rejects.toMatchObject({ code: 'method_unconfirmed' });
    await expect(order('expired')).rejects.toMatchObject({ code: 'card_expired' });
    const number = { number: '4242424242424242', expires_month: 12, expires_year: 2030 };
    await expect(buy(number)).rejects.toMatchObject({ code: 'card_required' });
    expect(await mine()).toEqual([]);
  });

  it('cannot be begun while Stripe is gone', async () => {
    stripe.down = true;
    const begun = beginMethod(till.sql, till.payments, actor, now);
    await expect(begun).rejects.toMatchObject({ code: 'payments_unreachable' });
    stripe.down = false;
  });
});
