import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { orderInput } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { stripeShop } from '../../testing/stripe/shop.ts';
import { checkout } from './checkout.ts';
import { addMethod, makePrimary, methodsOf, removeMethod } from './methods.ts';
import { buyPlus } from './plus-orders/checkout.ts';
import { subscriptionsOf } from './read.ts';
import { addDays, maxMethods } from './rules.ts';

const shop = stripeShop();
const { now, card, order } = shop;
const mine = () => methodsOf(shop.sql, shop.actor.user_id, 'stripe');
/** Adds a card that works, another one for each number. */
const add = async (number = `added by ${shop.actor.user_id}`) =>
  await addMethod(shop.sql, shop.till.payments, shop.actor, await card('good', shop.actor, number), now);
const primary = (id: string, who = shop.actor) => shop.sql.begin((tx) => makePrimary(tx, 'stripe', who, id));
const remove = (id: string, who = shop.actor) => removeMethod(shop.sql, shop.till.payments, who, id, now);
const plus = { op_id: randomUUID(), interval: 'monthly', currency: 'USD' };
const atStripe = () => shop.stripe.account.methods.size;

describe('payment methods', () => {
  it('are listed with what they pay for, and the first one is the primary one', async () => {
    await add();
    await order('good', { name: 'Opal' });
    const [first, second, ...rest] = await mine();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ is_primary: true, pays_for: [], last_four: '4242' });
    expect(second).toMatchObject({ is_primary: false, pays_for: [{ name: 'Opal' }] });
  });

  it('that are made primary pay for everything from the next payment on', async () => {
    await order('fails_later'); // its renewal would fail
    await add();
    const fresh = (await mine()).find(({ pays_for }) => pays_for.length === 0)!;
    await primary(fresh.id);
    expect((await mine())[0]).toMatchObject({ id: fresh.id, is_primary: true, pays_for: [{}] });
    await shop.runBilling(addDays(now, 32));
    const [reference] = await shop.sql`select reference from payment_methods where id = ${fresh.id}`;
    expect((await shop.mine()).at(-1)).toMatchObject({ payment_method: reference!.reference });
    expect(await subscriptionsOf(shop.sql, shop.actor)).toMatchObject([{ state: 'active' }]);
  });

  it('are removed here and at the processor once they pay for nothing', async () => {
    await order('good');
    await add();
    // the first one that paid is primary until another one is chosen
    const [used, one] = await mine();
    expect([used?.is_primary, one?.is_primary]).toEqual([true, false]);
    await expect(remove(used!.id)).rejects.toMatchObject({ code: 'payment_method_used' });
    const before = atStripe();
    await primary(one!.id);
    await remove(used!.id);
    expect(await mine()).toMatchObject([{ id: one!.id }]);
    expect(atStripe()).toBe(before - 1);
    await expect(remove(used!.id)).rejects.toMatchObject({ code: 'payment_method_not_found' });
    await expect(primary(used!.id)).rejects.toMatchObject({ code: 'payment_method_not_found' });
  });

  it('that expired pay for nothing new', async () => {
    await add();
    const [one] = await mine();
    await shop.sql`update payment_methods set expires_year = 2020 where id = ${one!.id}`;
    const bought = checkout(shop.till, shop.actor, orderInput(), { stored: one!.id }, now);
    await expect(bought).rejects.toMatchObject({ code: 'card_expired' });
  });

  it('of somebody else look absent', async () => {
    await add();
    const [one] = await mine();
    const other = build.actorFor(await build.user(shop.sql));
    await expect(primary(one!.id, other)).rejects.toMatchObject({ code: 'payment_method_not_found' });
    await expect(remove(one!.id, other)).rejects.toMatchObject({ code: 'payment_method_not_found' });
    expect(await methodsOf(shop.sql, other.user_id, 'stripe')).toEqual([]);
  });

  it('stay when the processor cannot be reached', async () => {
    await add();
    const [one] = await mine();
    const away = { ...shop.till.payments, forgetMethod: () => Promise.reject(new Error('away')) };
    await expect(removeMethod(shop.sql, away, shop.actor, one!.id, now)).rejects.toThrow('away');
    expect(await mine()).toEqual([one]);
  });

  it(`are at most ${maxMethods}`, async () => {
    for (let count = 0; count < maxMethods; count += 1) await add(`card ${count}`);
    await expect(add('one more')).rejects.toMatchObject({ code: 'payment_methods_limit' });
    // a purchase would leave a card that its owner does not see
    await expect(order('good')).rejects.toMatchObject({ code: 'payment_methods_limit' });
    expect(await mine()).toHaveLength(maxMethods);
    // one that is known already takes no place
    await add('card 3');
    expect(await mine()).toHaveLength(maxMethods);
  });

  it('are one for a card however often it is entered, and pay with what was confirmed last', async () => {
    await order('good', { name: 'Opal' });
    await order('good', { name: 'Jade' });
    await buyPlus(shop.till, shop.actor, plus, await card('good'), now);
    await addMethod(shop.sql, shop.till.payments, shop.actor, await card('good'), now);
    const [only, ...rest] = await mine();
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ is_primary: true, pays_for: [{}, {}, {}] });
    expect(new Set((await shop.mine()).map((intent) => intent.payment_method)).size).toBe(3);
    await shop.runBilling(addDays(now, 32));
    const [kept] =
      await shop.sql`select reference from payment_methods where user_id = ${shop.actor.user_id}`;
    expect((await shop.mine()).slice(3)).toMatchObject(
      [1, 2, 3].map(() => ({ payment_method: kept!.reference })),
    );
  });

  it('that are removed leave nothing of an earlier entry at the processor', async () => {
    const before = atStripe();
    for (let count = 0; count < 3; count += 1) await add();
    expect(atStripe()).toBe(before + 3);
    const [only] = await mine();
    await remove(only!.id);
    expect(atStripe()).toBe(before);
    await add();
    expect(await mine()).toMatchObject([{ id: only!.id, is_primary: true }]);
  });
});
