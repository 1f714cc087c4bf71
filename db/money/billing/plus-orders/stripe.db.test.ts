import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../platform/people/rules.ts';
import * as build from '../../../testing/builders/build.ts';
import type { CardKind } from '../../../testing/stripe/account.ts';
import { stripeShop } from '../../../testing/stripe/shop.ts';
import { refund } from '../charges.ts';
import { confirmPayment, handleWebhook } from '../checkout.ts';
import { plusOf } from '../plus/read.ts';
import { addDays } from '../rules.ts';
import { refundByStaff } from '../staff-refunds/write.ts';
import { buyPlus, renewPlus } from './checkout.ts';
import { cancelPlus, type PlusOrder, switchPlus } from './write.ts';

const shop = stripeShop();
const { now, card, mine, hear, send, runBilling } = shop;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
/** After the first month, with nobody there. */
const renewed = addDays(now, 32);

afterEach(async () => {
  shop.stripe.account.clock = () => new Date();
  // a later test renews its own
  await shop.sql`update subscriptions set state = 'ended', grace_until = null`;
});
/** The job of every minute after the first month. */
async function renewDue(): Promise<void> {
  shop.stripe.account.clock = () => renewed;
  await runBilling(renewed);
}

const order = (given: Partial<PlusOrder> = {}): PlusOrder => ({
  ...{ op_id: randomUUID(), interval: 'monthly', currency: 'USD' },
  ...given,
});
const purchase = async (kind: CardKind, given: Partial<PlusOrder> = {}, at = now) =>
  await buyPlus(shop.till, shop.actor, order(given), await card(kind), at);
const renew = async (kind: CardKind | null, at: Date) =>
  await renewPlus(shop.till, shop.actor, { interval: null, method: kind && (await card(kind)) }, at);
const plus = async (who: Actor = shop.actor) => (await plusOf(shop.sql, who.user_id))?.state ?? null;
const cancel = (at = now) => shop.sql.begin((tx) => cancelPlus(tx, shop.actor, at));
const charges = async () =>
  (
    await shop.sql<Array<{ line: string }>>`
      select reason || ' ' || state as line from charges where user_id = ${shop.actor.user_id} order by created, settled`
  ).map(({ line }) => line);
/** US cents that creators get of the actor's payments. */
const creatorsGet = async () =>
  (
    await shop.sql<Array<{ minor: number }>>`
      select i.amount_minor as minor from revenue_incomes i join charges c on c.id = i.reference
      where i.source = 'plus' and c.user_id = ${shop.actor.user_id} order by i.created`
  ).map(({ minor }) => minor);
/** The payer answers the question of the bank about every payment that waits for it. */
async function answer(agrees: boolean): Promise<void> {
  for (const { status, client_secret } of await mine())
    if (status === 'requires_action') shop.stripe.account.authenticate(client_secret, agrees);
}
const eventOf = async (type: string) => {
  const own = new Set((await mine()).map(({ id }) => id));
  return shop.stripe.account.events.find(
    (one) => one.type === type && own.has((one.data.object as { id: string }).id),
  )!;
};

describe('Plus bought with Stripe', () => {
  it.each([
    ['USD', 'monthly', 499, 250],
    ['JPY', 'quarterly', 1800, 600],
    // thousandths are Stripe's smallest unit too
    ['KWD', 'yearly', 15250, 2500],
  ])('in %s, %s, is one payment of what its page says', async (currency, interval, amount, half) => {
    expect(await purchase('good', { currency, interval })).toBe('paid');
    expect(await mine()).toMatchObject([{ amount, currency: currency.toLowerCase(), status: 'succeeded' }]);
    expect([await plus(), await creatorsGet()]).toEqual(['active', [half]]);
  });

  it.each([
    ['agrees', true, 'active', 'first succeeded'],
    ['refuses', false, null, 'first failed'],
  ] as const)('waits for the bank, and the payer %s', async (_, agrees, state, charge) => {
    expect(await purchase('asks')).toBe('waiting');
    const asked = await confirmPayment(shop.till, shop.actor, null, now);
    expect(asked).toMatchObject({ state: 'waiting', client_secret: expect.stringContaining('_secret') });
    await expect(cancel()).rejects.toMatchObject({ code: 'subscription_pending' });
    await answer(agrees);
    // the page asks before the webhook comes
    expect((await confirmPayment(shop.till, shop.actor, null, now)).state).toBe(agrees ? 'paid' : 'failed');
    await hear('payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.requires_action');
    expect([await plus(), await charges()]).toEqual([state, [charge]]);
    expect(await creatorsGet()).toEqual(agrees ? [250] : []);
  });

  it('is nothing when nobody answers the bank for an hour', async () => {
    await purchase('asks');
    await runBilling(later(90));
    expect([await plus(), await charges()]).toEqual([null, ['first failed']]);
    expect((await mine()).map(({ status }) => status)).toEqual(['canceled']);
  });

  it.each(['declined', 'insufficient'] as const)(
    'with a card that is %s is paid by the next card',
    async (kind) => {
      const one = order();
      await expect(buyPlus(shop.till, shop.actor, one, await card(kind), now)).rejects.toMatchObject({
        code: 'payment_declined',
      });
      expect([await plus(), await creatorsGet()]).toEqual([null, []]);
      expect(await buyPlus(shop.till, shop.actor, one, await card('good'), now)).toBe('paid');
      await hear('payment_intent.payment_failed', 'payment_intent.succeeded');
      expect([await plus(), (await charges()).toSorted()]).toEqual([
        'active',
        ['first failed', 'first succeeded'],
      ]);
      expect((await mine()).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    },
  );

  it.each([
    ['one request sent twice', true],
    ['two requests', false],
  ])('is one payment for two browsers at once: %s', async (_, same) => {
    const [one, given] = [order(), await card('good')];
    const both = [one, same ? one : order({ interval: 'yearly' })];
    const outcomes = await Promise.allSettled(
      both.map((each) => buyPlus(shop.till, shop.actor, each, given, now)),
    );
    const codes = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : each.value));
    expect(codes.filter((code) => code === 'paid')).toHaveLength(same ? 2 : 1);
    expect(codes.every((code) => /^(paid|plus_owned|subscription_pending)$/.test(code))).toBe(true);
    expect(await mine()).toHaveLength(1);
    expect(await creatorsGet()).toHaveLength(1);
  });
});

describe('money of Plus that was taken without an answer', () => {
  it.each(['500_after', 'hang_after'] as const)('is found at once: %s', async (fault) => {
    shop.stripe.faults.push(fault);
    expect(await purchase('good')).toBe('paid');
    expect([(await mine()).length, await plus(), await creatorsGet()]).toEqual([1, 'active', [250]]);
  });

  it.each(['webhook', 'run of billing'])('is found by the next %s', async (how) => {
    shop.stripe.faults.push('vanish');
    expect(await purchase('good')).toBe('waiting');
    await expect(purchase('good')).rejects.toMatchObject({ code: 'payments_unreachable' });
    shop.stripe.down = false;
    shop.stripe.forget();
    if (how === 'webhook') await hear('payment_intent.succeeded');
    else await runBilling(later(2));
    expect(await plus()).toBe('active');
    await runBilling(later(3));
    expect([(await mine()).length, await creatorsGet()]).toEqual([1, [250]]);
  });

  it('is not supposed: what never arrived is charged later, once', async () => {
    shop.stripe.faults.push('hang');
    expect(await purchase('good')).toBe('waiting');
    for (const minutes of [1, 2]) await runBilling(later(minutes));
    expect([(await mine()).length, await plus(), await creatorsGet()]).toEqual([1, 'active', [250]]);
  });

  it('is found for a renewal too', async () => {
    await purchase('good');
    shop.stripe.faults.push('vanish');
    await renewDue();
    shop.stripe.down = false;
    shop.stripe.forget();
    await renewDue();
    await renewDue();
    expect([(await mine()).length, await creatorsGet()]).toEqual([2, [250, 250]]);
  });
});

describe('Plus that runs with Stripe', () => {
  it('renews without its payer at the chosen interval, once', async () => {
    await purchase('good');
    await shop.sql.begin((tx) => switchPlus(tx, shop.actor, 'yearly', new Date()));
    for (let turn = 0; turn < 2; turn++) await renewDue();
    expect((await mine()).map(({ amount }) => amount)).toEqual([499, 4999]);
    expect(await creatorsGet()).toEqual([250, 2500]);
  });

  it.each([
    ['fails_later', 'declined', 'paid'],
    ['asks', 'authentication_required', 'waiting'],
  ] as const)(
    'and a card that %s is kept, and goes on with the next payment',
    async (kind, failure, state) => {
      await purchase(kind);
      await answer(true);
      await hear('payment_intent.succeeded');
      await renewDue();
      expect(await plusOf(shop.sql, shop.actor.user_id)).toMatchObject({ state: 'failed', failure });
      // once with the card that asks, and once more with another one
      expect(await renew(kind === 'asks' ? null : 'good', renewed)).toBe(state);
      await answer(true);
      await confirmPayment(shop.till, shop.actor, null, renewed);
      expect([await plus(), await creatorsGet()]).toEqual(['active', [250, 250]]);
      expect((await mine()).filter(({ status }) => status === 'succeeded')).toHaveLength(2);
    },
  );

  it('is canceled, taken up again without a payment, and bought anew after its end', async () => {
    await purchase('good');
    await cancel();
    expect(await plus()).toBe('cancelled');
    expect(await renew(null, later(1))).toBe('paid');
    expect([await plus(), (await mine()).length]).toEqual(['active', 1]);
    await cancel(later(2));
    await renewDue();
    expect([await plus(), (await mine()).length]).toEqual([null, 1]);
    await expect(renew('good', renewed)).rejects.toMatchObject({ code: 'plus_unknown' });
    expect(await purchase('good', {}, renewed)).toBe('paid');
    expect([await plus(), (await mine()).length]).toEqual(['active', 2]);
  });

  it.each([
    ['won', 'active', [250]],
    ['lost', 'grace', []],
  ] as const)('and is disputed: %s', async (decision, state, left) => {
    await purchase('good');
    const [intent] = await mine();
    const dispute = shop.stripe.account.dispute(intent!.id);
    await hear('charge.dispute.created', 'charge.dispute.funds_withdrawn');
    expect(await creatorsGet()).toEqual([]);
    shop.stripe.account.decideDispute(dispute, decision);
    await hear('charge.dispute.closed', 'charge.dispute.funds_reinstated', 'charge.dispute.created');
    expect([await plus(), await creatorsGet()]).toEqual([state, left]);
  });

  it.each([
    ['whole, with the service', null, true, [], null],
    ['a part', 125, false, [188], 'active'],
  ] as const)('and is given back by staff: %s', async (_, amount_minor, takes_service, left, state) => {
    await purchase('good');
    const [charge] = await shop.sql<Array<{ id: string }>>`
      select id from charges where user_id = ${shop.actor.user_id}`;
    const staff: Actor = { ...build.actorFor(await build.user(shop.sql)), role: 'admin' };
    const input = { op_id: randomUUID(), charge_id: charge!.id, seen_minor: null, reason: 'asked' };
    const { refund_id } = await shop.sql.begin((tx) =>
      refundByStaff(tx, shop.till, staff, { ...input, amount_minor, takes_service }, now),
    );
    for (let turn = 0; turn < 2; turn++) {
      shop.stripe.forget();
      await refund(shop.sql, shop.till.payments, { charge_id: charge!.id, refund_id }, now);
    }
    const [intent] = await mine();
    expect(shop.stripe.account.refunds.filter((one) => one.payment_intent === intent!.id)).toMatchObject([
      { amount: amount_minor ?? 499 },
    ]);
    expect([await plus(), await creatorsGet()]).toEqual([state, left]);
  });
});

describe('a webhook about Plus', () => {
  it('counts once, in any order', async () => {
    await purchase('asks');
    await answer(true);
    const event = await eventOf('payment_intent.succeeded');
    expect((await Promise.all([send(event), send(event)])).sort()).toEqual([false, true]);
    expect(await send(event)).toBe(false);
    await hear('payment_intent.requires_action', 'payment_intent.created');
    expect([await plus(), await charges(), await creatorsGet()]).toEqual([
      'active',
      ['first succeeded'],
      [250],
    ]);
  });

  it('that is forged, altered, old or a lie changes nothing', async () => {
    await purchase('asks');
    const [intent] = await mine();
    const object = { ...intent!, status: 'succeeded' };
    const event = { id: `evt_${randomUUID()}`, type: 'payment_intent.succeeded', data: { object } };
    await expect(send(event, now, 'whsec_other')).rejects.toMatchObject({ code: 'webhook_signature' });
    const { body, signature } = shop.stripe.webhook(event, now);
    await expect(handleWebhook(shop.till, signature, `${body} `, now)).rejects.toMatchObject({
      code: 'webhook_signature',
    });
    await expect(handleWebhook(shop.till, signature, body, later(6))).rejects.toMatchObject({
      code: 'webhook_stale',
    });
    expect(await send(event)).toBe(true);
    expect([await plus(), await charges(), await creatorsGet()]).toEqual(['pending', ['first waiting'], []]);
  });
});
