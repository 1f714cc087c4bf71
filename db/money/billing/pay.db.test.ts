import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { orderInput } from '../../testing/billing.ts';
import { stripeShop } from '../../testing/stripe/shop.ts';
import { ownCharge } from './desk/records.ts';
import { payExisting, payOrder } from './pay.ts';

/** A payment that waits at Stripe and gets another card, or another order in its place: money moves once. */
const shop = stripeShop();
const order = async (kind: Parameters<typeof shop.card>[0], given: object = {}, intent_id?: string) => {
  const existing = intent_id ? await ownCharge(shop.sql, shop.actor, { intent_id }) : null;
  const input = orderInput({ op_id: randomUUID(), ...given });
  return await payOrder(shop.till, shop.actor, input, { given: await shop.card(kind), existing }, shop.now);
};
const statuses = async () => (await shop.mine()).map(({ status }) => status);

it('is paid with the other card by the same intent', async () => {
  const first = await order('asks');
  expect(first).toMatchObject({ state: 'waiting', confirm: expect.stringContaining('_secret_') });
  const [intent] = await shop.mine();
  expect(await order('good', {}, intent!.id)).toMatchObject({ state: 'paid', charge_id: first.charge_id });
  expect(await statuses()).toEqual(['succeeded']);
  await shop.hear('payment_intent.succeeded');
  expect(await shop.newest()).toMatchObject({ charge: 'succeeded', subscription: 'active', order: 'paid' });
});

it('stays paid with the first card when that was confirmed meanwhile', async () => {
  const first = await order('asks');
  const [intent] = await shop.mine();
  shop.stripe.account.authenticate(first.confirm!, true);
  expect(await order('good', {}, intent!.id)).toMatchObject({ state: 'paid', charge_id: first.charge_id });
  expect(await statuses()).toEqual(['succeeded']);
});

it('fails with a declined card, and its intent cannot be paid any more', async () => {
  const first = await order('asks');
  const [intent] = await shop.mine();
  const declined = order('declined', {}, intent!.id);
  await expect(declined).rejects.toMatchObject({ code: 'payment_declined' });
  expect(await statuses()).toEqual(['canceled']);
  expect(() => shop.stripe.account.authenticate(first.confirm!, true)).toThrow();
});

it('asks again when the other card asks, and is paid by either once', async () => {
  const first = await order('asks');
  const again = await payExisting(shop.till, shop.actor, first.charge_id!, await shop.card('asks'), shop.now);
  expect(again).toMatchObject({ state: 'waiting', charge_id: first.charge_id, confirm: first.confirm });
  shop.stripe.account.authenticate(again.confirm!, true);
  const paid = await payExisting(shop.till, shop.actor, first.charge_id!, null, shop.now);
  expect([paid.state, await statuses()]).toEqual(['paid', ['succeeded']]);
});

it('is canceled before another order takes its place', async () => {
  await order('asks');
  const [intent] = await shop.mine();
  expect(await order('good', { plan: 'large' }, intent!.id)).toMatchObject({ state: 'paid' });
  expect((await statuses()).sort()).toEqual(['canceled', 'succeeded']);
  await shop.hear('payment_intent.canceled');
  const charges = await shop.sql`
    select state, failure from charges where user_id = ${shop.actor.user_id} order by amount_minor`;
  expect([...charges]).toEqual([
    { state: 'failed', failure: 'cancelled' },
    { state: 'succeeded', failure: null },
  ]);
});

it('is not taken back once it was paid', async () => {
  const first = await order('asks');
  const [intent] = await shop.mine();
  shop.stripe.account.authenticate(first.confirm!, true);
  const other = order('good', { plan: 'large' }, intent!.id);
  await expect(other).rejects.toMatchObject({ code: 'operation_mismatch' });
  expect(await statuses()).toEqual(['succeeded']);
});

it('keeps its card while nobody knows what became of it', async () => {
  const other = await shop.card('good');
  const existing = null;
  const given = await shop.card('good');
  shop.stripe.faults.push('vanish');
  const first = await payOrder(shop.till, shop.actor, orderInput(), { given, existing }, shop.now);
  expect(first).toMatchObject({ state: 'waiting', unanswered: true });
  shop.stripe.down = false;
  const again = payExisting(shop.till, shop.actor, first.charge_id!, other, shop.now);
  await expect(again).rejects.toMatchObject({ code: 'payments_unreachable' });
  await shop.runBilling(shop.now);
  expect([(await shop.newest()).charge, await statuses()]).toEqual(['succeeded', ['succeeded']]);
});
