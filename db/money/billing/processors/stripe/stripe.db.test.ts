import { describe, expect, it } from 'vitest';
import { orderInput } from '../../../../testing/billing.ts';
import * as build from '../../../../testing/builders/build.ts';
import { stripeShop } from '../../../../testing/stripe/shop.ts';
import { checkout, resubscribe } from '../../checkout.ts';
import { beginMethod } from '../../customers.ts';
import { addDays } from '../../rules.ts';

const shop = stripeShop();
const { now, card, order, newest, mine, hear, runBilling, jobs } = shop;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

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
    await Promise.all([
      checkout(shop.till, shop.actor, input, given, now),
      checkout(shop.till, shop.actor, input, given, now),
    ]);
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
    const { confirm } = await shop.till.payments.retrieve(intent_id!, now);
    shop.stripe.account.authenticate(confirm!, true);
    expect(await hear('payment_intent.succeeded')).toEqual([true]);
    expect(await newest()).toMatchObject({ charge: 'succeeded', order: 'paid' });
    expect(jobs()).toEqual(['create_server']);
  });

  it('fails when the payer refuses, and nobody can pay it any more', async () => {
    await order('asks');
    const [intent] = await mine();
    shop.stripe.account.authenticate(intent!.client_secret, false);
    await hear('payment_intent.payment_failed');
    expect(await newest()).toMatchObject({
      charge: 'failed',
      failure: 'authentication_required',
      order: 'failed',
    });
    expect(shop.stripe.account.intent(intent!.id).status).toBe('canceled');
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
    shop.stripe.faults.push(fault);
    expect((await order('good')).state).toBe('paid');
    expect(await mine()).toHaveLength(1);
  });

  it.each(['webhook', 'run of billing'])('is found by the next %s when Stripe was gone', async (how) => {
    shop.stripe.faults.push('vanish');
    expect((await order('good')).state).toBe('waiting');
    expect(await newest()).toMatchObject({ charge: 'waiting', intent_id: null });
    await runBilling(later(1));
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    shop.stripe.down = false;
    shop.stripe.forget();
    if (how === 'webhook') await hear('payment_intent.succeeded');
    else await runBilling(later(2));
    expect(await newest()).toMatchObject({ charge: 'succeeded', order: 'paid' });
    await runBilling(later(3));
    expect(await mine()).toHaveLength(1);
  });

  it('is not supposed: what never arrived is charged later, once', async () => {
    shop.stripe.faults.push('hang');
    expect((await order('good')).state).toBe('waiting');
    expect(await mine()).toHaveLength(0);
    await runBilling(later(1));
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
    expect(await mine()).toHaveLength(1);
  });

  it('is not supposed after a 500 either, which Stripe repeats until it forgets the key', async () => {
    shop.stripe.faults.push('500_before');
    expect((await order('good')).state).toBe('waiting');
    await runBilling(later(1));
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    shop.stripe.forget();
    await runBilling(later(2));
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
    expect(await mine()).toHaveLength(1);
  });
});

describe('a renewal', () => {
  /** The end of the first month, with nobody there. */
  const renewed = addDays(now, 32);
  const subscription = async (server_id: string) =>
    (await shop.sql`select state from subscriptions where server_id = ${server_id}`)[0]?.state;

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
      if (status === 'requires_action') shop.stripe.account.authenticate(client_secret, true);
    await hear('payment_intent.succeeded');
    await runBilling(renewed);
    expect(await newest()).toMatchObject({ charge: 'failed', failure });
    expect(await subscription(server_id)).toBe('failed');
    const mails = await shop.sql`
      select template from mails where user_id = ${shop.actor.user_id} and template like 'payment%'`;
    expect(mails.map(({ template }) => template)).toEqual([
      kind === 'asks' ? 'payment_unconfirmed' : 'payment_failed',
    ]);
    // the payer comes back and pays, with the bank's question
    const state = await resubscribe(
      shop.till,
      shop.actor,
      server_id,
      { interval: null, method: null },
      renewed,
    );
    expect(state).toBe(kind === 'asks' ? 'waiting' : 'paid');
    for (const { status, client_secret } of await mine())
      if (status === 'requires_action') shop.stripe.account.authenticate(client_secret, true);
    await hear('payment_intent.succeeded');
    expect(await subscription(server_id)).toBe('active');
  });
});

describe('a payment method', () => {
  const buy = (given: Parameters<typeof checkout>[3]) =>
    checkout(shop.till, shop.actor, orderInput(), given, now);

  it('is refused when it is of somebody else, unknown, not confirmed, expired, or a card number', async () => {
    const other = build.actorFor(await build.user(shop.sql));
    const theirs = await card('good', other);
    await expect(buy(theirs)).rejects.toMatchObject({ code: 'method_unconfirmed' });
    for (const confirmed of ['seti_none', 'pm_card_visa', '', '../customers', 'seti_'.padEnd(400, 'x')])
      await expect(buy({ confirmed })).rejects.toMatchObject({ code: 'method_unconfirmed' });
    const { client_secret } = await beginMethod(shop.sql, shop.till.payments, shop.actor, now);
    const begun = client_secret.split('_secret')[0]!;
    await expect(buy({ confirmed: begun })).rejects.toMatchObject({ code: 'method_unconfirmed' });
    await expect(order('expired')).rejects.toMatchObject({ code: 'card_expired' });
    const number = { number: '4242424242424242', expires_month: 12, expires_year: 2030 };
    await expect(buy(number)).rejects.toMatchObject({ code: 'card_required' });
    expect(await mine()).toEqual([]);
  });

  it('cannot be begun while Stripe is gone', async () => {
    shop.stripe.down = true;
    const begun = beginMethod(shop.sql, shop.till.payments, shop.actor, now);
    await expect(begun).rejects.toMatchObject({ code: 'payments_unreachable' });
    shop.stripe.down = false;
  });
});
