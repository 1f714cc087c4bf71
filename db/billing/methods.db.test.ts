import { describe, expect, it } from 'vitest';
import * as build from '../testing/builders/build.ts';
import { stripeShop } from '../testing/stripe/shop.ts';
import { addMethod, makePrimary, methodsOf, removeMethod } from './methods.ts';
import { subscriptionsOf } from './read.ts';
import { addDays, maxMethods } from './rules.ts';

const shop = stripeShop();
const { now, card, order } = shop;
const mine = () => methodsOf(shop.sql, shop.actor.user_id, 'stripe');
const add = async () => await addMethod(shop.sql, shop.till.payments, shop.actor, await card('good'), now);
const primary = (id: string, who = shop.actor) => shop.sql.begin((tx) => makePrimary(tx, 'stripe', who, id));
const remove = (id: string, who = shop.actor) => removeMethod(shop.sql, shop.till.payments, who, id, now);
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
    const [one, used] = await mine();
    await expect(remove(used!.id)).rejects.toMatchObject({ code: 'payment_method_used' });
    const before = atStripe();
    await primary(one!.id);
    await remove(used!.id);
    expect(await mine()).toMatchObject([{ id: one!.id }]);
    expect(atStripe()).toBe(before - 1);
    await expect(remove(used!.id)).rejects.toMatchObject({ code: 'payment_method_not_found' });
    await expect(primary(used!.id)).rejects.toMatchObject({ code: 'payment_method_not_found' });
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
    for (let count = 0; count < maxMethods; count += 1) await add();
    await expect(add()).rejects.toMatchObject({ code: 'payment_methods_limit' });
    expect(await mine()).toHaveLength(maxMethods);
  });
});
