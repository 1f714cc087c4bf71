import { expect, it } from 'vitest';
import { removeUser } from '../../../../accounts/account/remove.ts';
import { stripeShop } from '../../../../testing/stripe/shop.ts';
import { refund } from '../../charges.ts';
import { cancel } from '../../checkout.ts';
import { forgottenCustomers, markForgotten } from '../../customers.ts';
import { collectFee } from '../../fees.ts';
import { reconcileProcessor } from '../../reconcile-processor.ts';
import { refundByStaff } from '../../staff-refunds/write.ts';

const shop = stripeShop();
const { now, order, newest, mine } = shop;
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const compared = async () => {
  const report = await reconcileProcessor(shop.sql, shop.till.payments, days(-5), days(5));
  const own = new Set((await mine()).map(({ id }) => id));
  const { id } = await newest();
  return (report?.differences ?? []).filter(({ what }) => [...own, id].some((one) => what.includes(one)));
};
/** Lets the fee of the newest payment be known. */
const knowFee = async () => await collectFee(shop.till, (await newest()).intent_id!, now);
const give = async (charge_id: string, amount_minor: number) =>
  await shop.sql.begin((tx) =>
    refundByStaff(
      tx,
      shop.till,
      { ...shop.actor, role: 'admin' },
      {
        ...{ op_id: crypto.randomUUID(), charge_id, amount_minor, seen_minor: null },
        ...{ reason: 'lag', takes_service: false },
      },
      now,
    ),
  );

it('agrees about payments and parts that were given back', async () => {
  await order('good');
  await knowFee();
  const { id } = await newest();
  const { refund_id } = await give(id, 300);
  for (let turn = 0; turn < 2; turn++)
    await refund(shop.sql, shop.till.payments, { charge_id: id, refund_id }, now);
  expect(shop.stripe.account.refunds.filter(({ amount }) => amount === 300)).toHaveLength(1);
  expect(await compared()).toEqual([]);
});

it('reports a whole refund that was never sent', async () => {
  const { server_id } = await order('good');
  await knowFee();
  const { id } = await newest();
  await cancel(shop.till, shop.actor, server_id, now); // it has no place yet
  expect(await compared()).toEqual([{ what: `refund ${id}`, ledger: '1200 USD', expected: 'not at stripe' }]);
  await refund(shop.sql, shop.till.payments, { charge_id: id }, now);
  expect(await compared()).toEqual([]);
});

it('reports what only one of the two knows, and fees', async () => {
  await order('good');
  const { intent_id } = await newest();
  expect(await compared()).toEqual([
    { what: `fee of ${intent_id}`, ledger: 'not known yet', expected: '65 USD' },
  ]);
  await knowFee();
  const amount = shop.stripe.account.refund(intent_id!, 200, {});
  expect(amount).toMatchObject({ amount: 200 });
  expect(await compared()).toEqual([
    { what: `refund of ${intent_id}`, ledger: 'made at the processor itself', expected: '200 USD' },
  ]);
  // taken back for the check of balances after each test
  shop.stripe.account.refunds.pop();
  shop.stripe.account.balance.set('usd', shop.stripe.account.balance.get('usd')! + 200);
  shop.stripe.account.intents.delete(intent_id!);
  const { id } = await newest();
  expect(await compared()).toEqual([
    { what: `payment ${id}`, ledger: expect.stringContaining('USD'), expected: 'not at stripe' },
  ]);
  const report = await reconcileProcessor(shop.sql, shop.till.payments, days(-5), days(5));
  const fees = shop.stripe.account.booked.reduce((sum, { fee }) => sum + fee, 0);
  expect(report?.fees).toEqual([{ currency: 'USD', amount_minor: fees }]);
});

it('forgets the customer of a deleted account', async () => {
  const { server_id } = await order('good');
  const { sql, till, actor } = shop;
  await sql`update subscriptions set state = 'ended' where server_id = ${server_id}`;
  const [customer] = await sql<Array<{ reference: string }>>`
    select reference from payment_customers where user_id = ${actor.user_id}`;
  await sql.begin((tx) => removeUser(tx, actor, actor.user_id, now));
  const all = await forgottenCustomers(sql, till.payments, 100);
  expect(all).toContain(customer!.reference);
  for (let turn = 0; turn < 2; turn++) await till.payments.forgetCustomer!(customer!.reference);
  expect(shop.stripe.account.customers.has(customer!.reference)).toBe(false);
  await markForgotten(sql, till.payments, customer!.reference);
  expect(await forgottenCustomers(sql, till.payments, 100)).not.toContain(customer!.reference);
});
