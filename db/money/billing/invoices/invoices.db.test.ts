import { beforeAll, expect, it } from 'vitest';
import { nodeWithRoom, orderInput, slowCard, testBilling } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { settle } from '../charges.ts';
import { checkout, collectCharge } from '../checkout.ts';
import { billingAddressOf } from './billing-address.ts';
import { invoiceFor, invoicesOf } from './read.ts';
import { rateOf, taxIn } from './rules.ts';
import { setBillingAddress } from './set-billing-address.ts';
import { issueInvoice } from './write.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
  Object.assign(till.mailing.settings, {
    ...{ INVOICE_NAME: 'Cave Ltd', INVOICE_ADDRESS: 'Main Street 5; Town', INVOICE_TAX_PERCENT: '8.1' },
    INVOICE_PREFIX: 'C-',
  });
});
const payer = async () => build.actorFor(await build.user(database.sql));
const numbers = async () =>
  (await database.sql<Array<{ number: number }>>`select number from invoices order by number`).map(
    ({ number }) => number,
  );
const chargeOf = async (order_id: string) => {
  const [row] = await database.sql<Array<{ id: string }>>`
    select c.id from charges c join subscriptions u on u.id = c.subscription_id where u.order_id = ${order_id}`;
  return row!.id;
};

it('is numbered without gaps when payments arrive, at once and after a rollback', async () => {
  const buyers = await Promise.all(Array.from({ length: 6 }, payer));
  await Promise.all(buyers.map((actor) => checkout(till, actor, orderInput(), null, now)));
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6]);
  const { order_id } = await checkout(till, await payer(), orderInput(), slowCard, now);
  const id = await chargeOf(order_id);
  const lost = database.sql.begin(async (tx) => {
    await settle(tx, { id }, { intent_id: 'x', state: 'succeeded', failure: null }, now);
    await issueInvoice(tx, till.mailing.settings, till.payments, id, now);
    throw new Error('lost');
  });
  await expect(lost).rejects.toThrow('lost');
  expect(await numbers()).toHaveLength(6);
  const later = new Date(now.getTime() + 60_000);
  for (let turn = 0; turn < 2; turn++) await collectCharge(till, id, later);
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('keeps what it said, and is only for the payer and administrators', async () => {
  const actor = await payer();
  const { order_id } = await checkout(till, actor, orderInput(), null, now);
  const [line] = await invoicesOf(database.sql, [await chargeOf(order_id)]);
  expect(line!.number).toMatch(/^TEST-C-\d{6}$/);
  const before = till.mailing.settings.INVOICE_NAME;
  till.mailing.settings.INVOICE_NAME = 'Other Ltd';
  const invoice = await invoiceFor(database.sql, actor, line!.id);
  till.mailing.settings.INVOICE_NAME = before;
  const { operator, tax } = invoice!.content;
  expect(operator).toEqual({ name: 'Cave Ltd', address: ['Main Street 5', 'Town'], tax_id: null });
  expect(tax).toEqual({ name: 'VAT', rate: 8_100, tax_minor: taxIn(invoice!.amount_minor, 8_100) });
  expect(await invoiceFor(database.sql, await payer(), line!.id)).toBeNull();
  const admin = { ...(await payer()), role: 'admin' as const };
  expect(await invoiceFor(database.sql, admin, line!.id)).toMatchObject({ number: line!.number });
  await expect(database.sql`update invoices set number = 99 where id = ${line!.id}`).rejects.toThrow(
    'never changed',
  );
});

it('says what its payer typed before, and older ones keep what they said', async () => {
  const actor = await payer();
  const bill = async () => {
    const { order_id } = await checkout(till, actor, orderInput(), null, now);
    const [line] = await invoicesOf(database.sql, [await chargeOf(order_id)]);
    return async () => (await invoiceFor(database.sql, actor, line!.id))?.content.buyer;
  };
  const first = await bill();
  const given = { name: ' Fen GmbH ', address: 'Moorweg 3\r\n\r\n 20095 Hamburg ', tax_id: 'DE 811' };
  await database.sql.begin((tx) => setBillingAddress(tx, actor, given));
  const second = await bill();
  expect(await second()).toMatchObject({
    billing: { name: 'Fen GmbH', address: ['Moorweg 3', '20095 Hamburg'], tax_id: 'DE 811' },
  });
  await database.sql.begin((tx) => setBillingAddress(tx, actor, { name: '', address: ' ', tax_id: '' }));
  expect(await billingAddressOf(database.sql, actor.user_id)).toBeNull();
  expect([await first(), (await second())?.billing?.name]).toEqual([
    { id: actor.user_id, name: actor.username },
    'Fen GmbH',
  ]);
});

it.each([
  [1190, 19_000, 190],
  [1, 19_000, 0],
  [1234, 19_000, 197],
  [1081, 8_100, 81],
  [2 ** 52, 19_000, 719_062_125_378_483],
])('knows the tax in %i at %i thousandths of a percent', (amount, rate, tax) => {
  expect(taxIn(amount, rate)).toBe(tax);
});
it('reads rates', () => {
  expect(['19', '8.1', '0.125'].map(rateOf)).toEqual([19_000, 8_100, 125]);
});
