import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../../hosting/servers/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { refund } from '../charges.ts';
import { cancel, checkout } from '../checkout.ts';
import { creditDays } from '../desk/credits.ts';
import { endServiceByStaff } from '../desk/end-service.ts';
import { ledgerTransactions } from '../desk/ledger.ts';
import { addBillingNote, billingNotes } from '../desk/notes.ts';
import { chargesOf } from '../desk/read.ts';
import { ledgerPageSize } from '../desk/rules.ts';
import { balances } from '../ledger.ts';
import { paymentProcessor } from '../processors/select.ts';
import { paidOrder, paymentsOf } from '../read.ts';
import { dueSubscriptions } from '../renewals.ts';
import { refundByStaff } from './write.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
let payer: Actor;
let staff: Actor;
beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
});
beforeEach(async () => {
  payer = build.actorFor(await build.user(database.sql));
  staff = { ...build.actorFor(await build.user(database.sql)), role: 'admin' };
  till.jobs.length = 0;
});

async function paid() {
  const { server_id, order_id } = await checkout(till, payer, orderInput(), null, now);
  const order = await paidOrder(database.sql, order_id);
  await database.sql.begin((tx) => createServer(tx, order!));
  till.jobs.length = 0;
  const { charges } = await chargesOf(database.sql, payer.user_id, 1);
  return { server_id, charge: charges[0]! };
}
const give = (charge_id: string, given: Partial<Parameters<typeof refundByStaff>[3]> = {}, who = staff) =>
  database.sql.begin((tx) =>
    refundByStaff(
      tx,
      till,
      who,
      {
        ...{ op_id: randomUUID(), charge_id, amount_minor: 100, seen_minor: null },
        ...{ reason: 'it lagged', takes_service: false, ...given },
      },
      now,
    ),
  );
const charge = async () => (await chargesOf(database.sql, payer.user_id, 1)).charges[0]!;
const notes = (charge_id: string) => database.sql<
  Array<{ kind: string; amount: number; tax: number | null }>
>`
  select kind, amount_minor as amount, content->'tax'->'tax_minor' as tax from invoices
  where charge_id = ${charge_id} order by number`;

describe('a refund by staff', () => {
  it('gives back parts and then the rest, never more than was paid', async () => {
    const { charge: one } = await paid();
    await give(one.id, { amount_minor: 300 });
    expect(await charge()).toMatchObject({
      state: 'succeeded',
      given_minor: 300,
      net_minor: one.amount_minor - 300,
    });
    await expect(give(one.id, { amount_minor: one.amount_minor })).rejects.toMatchObject({
      code: 'refund_too_much',
      data: { left: one.amount_minor - 300 },
    });
    await give(one.id, { amount_minor: null });
    expect(await charge()).toMatchObject({ state: 'refunded', net_minor: 0 });
    await expect(give(one.id, { amount_minor: 1 })).rejects.toMatchObject({ code: 'refund_unpaid' });
    const held = (await balances(database.sql)).filter(([account]) => account.includes(payer.user_id));
    expect(held).toEqual([]);
    expect((await notes(one.id)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['invoice', one.amount_minor],
      ['credit_note', 300],
      ['credit_note', one.amount_minor - 300],
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('refuses to give back %s', async (amount_minor) => {
    const { charge: one } = await paid();
    await expect(give(one.id, { amount_minor })).rejects.toMatchObject({ code: 'refund_amount' });
  });

  it('is one refund for one key, and two staff at once give back once', async () => {
    const { charge: one } = await paid();
    const op_id = randomUUID();
    const [first, again] = [await give(one.id, { op_id }), await give(one.id, { op_id })];
    expect(again).toEqual(first);
    const both = await Promise.allSettled([
      give(one.id, { amount_minor: 200, seen_minor: 100 }),
      give(one.id, { amount_minor: 200, seen_minor: 100 }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'refund_meanwhile' },
    });
    expect(await charge()).toMatchObject({ given_minor: 300 });
  });

  it('is refused for the key of another amount, service or charge', async () => {
    const { charge: one } = await paid();
    payer = build.actorFor(await build.user(database.sql));
    const { charge: other } = await paid();
    const op_id = randomUUID();
    const first = await give(one.id, { op_id });
    const asked = [{ amount_minor: 200 }, { amount_minor: null }, { takes_service: true }];
    for (const another of asked)
      await expect(give(one.id, { op_id, ...another })).rejects.toMatchObject({ code: 'operation_mismatch' });
    await expect(give(other.id, { op_id })).rejects.toMatchObject({ code: 'operation_mismatch' });
    expect(await give(one.id, { op_id, reason: 'again' })).toEqual(first);
    const whole = { op_id: randomUUID(), amount_minor: null };
    const rest = await give(one.id, whole);
    expect(await give(one.id, whole)).toEqual(rest);
    expect(await give(one.id, { ...whole, amount_minor: one.amount_minor - 100 })).toEqual(rest);
    const [sum] = await database.sql`
      select sum(amount_minor)::int as given from refunds where charge_id in (${one.id}, ${other.id})`;
    expect(sum!.given).toBe(one.amount_minor);
  });

  it('goes to the processor once, by its own key', async () => {
    const { charge: one } = await paid();
    const { refund_id } = await give(one.id, { amount_minor: 250 });
    const [job] = till.jobs;
    expect(job).toEqual({ name: 'refund_charge', data: { charge_id: one.id, refund_id } });
    const asked: object[] = [];
    const payments = { ...till.payments, refund: async (ask: object) => void asked.push(ask) };
    for (let turn = 0; turn < 2; turn++) await refund(database.sql, payments, job!.data as never, now);
    expect(asked).toMatchObject([{ key: refund_id, amount_minor: 250 }]);
    expect((await charge()).refunds).toMatchObject([{ id: refund_id, sent: expect.any(String) }]);
  });

  it('is refused when the processor of the payment is not set up, and keeps what it was before', async () => {
    const { charge: one } = await paid();
    const op_id = randomUUID();
    const first = await give(one.id, { op_id });
    const elsewhere = { ...till, payments: paymentProcessor({ PAYMENTS: 'off' }) };
    const again = (op: string) =>
      database.sql.begin((tx) => {
        const input = { op_id: op, charge_id: one.id, amount_minor: 100, seen_minor: null };
        return refundByStaff(tx, elsewhere, staff, { ...input, reason: 'lag', takes_service: false }, now);
      });
    await expect(again(randomUUID())).rejects.toMatchObject({
      ...{ code: 'refund_processor', data: { processor: 'test' } },
    });
    expect(await again(op_id)).toEqual(first);
    expect(await charge()).toMatchObject({ given_minor: 100 });
  });

  it('takes the service where asked, once', async () => {
    const { charge: one } = await paid();
    await give(one.id, { takes_service: true });
    expect(await charge()).toMatchObject({ subscription_state: 'ended', state: 'succeeded' });
    expect(till.jobs.map(({ name }) => name).sort()).toEqual(['reconcile_server', 'refund_charge']);
    const { subscription_id } = await charge();
    const again = { subscription_id, step: 'take' as const, reason: 'again' };
    await database.sql.begin((tx) => endServiceByStaff(tx, till.board, staff, again, now));
    expect(till.jobs).toHaveLength(2);
  });

  it('is in the payments of who paid', async () => {
    const { charge: one } = await paid();
    await give(one.id, { amount_minor: 500 });
    const { payments } = await paymentsOf(database.sql, { user_id: payer.user_id }, 1);
    expect(payments).toMatchObject([{ id: one.id, state: 'succeeded', given_minor: 500 }]);
  });

  it('leaves to a later cancellation only the rest', async () => {
    await checkout(till, payer, orderInput(), null, now);
    const one = await charge();
    await give(one.id, { amount_minor: 100 });
    await cancel(till, payer, one.server_id!, now);
    expect((await notes(one.id)).map(({ amount }) => amount)).toEqual([
      one.amount_minor,
      100,
      one.amount_minor - 100,
    ]);
    const asked: object[] = [];
    const payments = { ...till.payments, refund: async (ask: object) => void asked.push(ask) };
    await refund(database.sql, payments, { charge_id: one.id }, now);
    expect(asked).toMatchObject([{ key: one.id, amount_minor: one.amount_minor - 100 }]);
  });

  it('of Plus lowers the income of Plus', async () => {
    const { charge: one } = await paid();
    await database.sql`update subscriptions set product = 'plus', plan = 'plus', order_id = null, server_id = null, ram_mb = null
      where id = ${one.subscription_id}`;
    await give(one.id, { amount_minor: 125 });
    const entries = await database.sql`
      select account_id, amount_minor::int as amount from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where t.kind = 'refund' and t.reference = (select id from refunds where charge_id = ${one.id}) order by 1`;
    expect(entries.map(({ account_id, amount }) => [account_id, amount])).toEqual([
      ['income:plus', 125],
      ['processor:test', -125],
    ]);
  });

  it('is for administrators, with a reason, of a payment that exists and is not disputed', async () => {
    const { charge: one } = await paid();
    await expect(give(one.id, {}, payer)).rejects.toMatchObject({ code: 'admins_only' });
    await expect(give(one.id, { reason: ' ' })).rejects.toMatchObject({ code: 'reason_required' });
    await expect(give('nothing')).rejects.toMatchObject({ code: 'charge_not_found' });
    await database.sql`update charges set dispute = 'open' where id = ${one.id}`;
    await expect(give(one.id)).rejects.toMatchObject({ code: 'refund_disputed' });
  });
});

describe('days that staff give', () => {
  const credit = (subscription_ids: string[], days = 5, op_id: string = randomUUID()) =>
    database.sql.begin((tx) =>
      creditDays(tx, staff, { op_id, target: { subscription_ids }, days, reason: 'outage' }, now),
    );
  it('move the next payment, once for a key, and later periods count from there', async () => {
    const { charge: one } = await paid();
    const op_id = randomUUID();
    const first = await credit([one.subscription_id], 5, op_id);
    expect(first[0]?.period_end).toBe('2026-03-05T12:00:00.000Z');
    expect(await credit([one.subscription_id], 5, op_id)).toEqual(first);
    const [row] =
      await database.sql`select anchor, period_end from subscriptions where id = ${one.subscription_id}`;
    expect(row!.anchor).toEqual(row!.period_end);
    expect(await dueSubscriptions(database.sql, new Date('2026-03-01T00:00:00Z'), 1000)).not.toContain(
      one.subscription_id,
    );
  });
  it('are refused for the key of other days or other subscriptions', async () => {
    const { charge: one } = await paid();
    payer = build.actorFor(await build.user(database.sql));
    const { charge: other } = await paid();
    const op_id = randomUUID();
    const first = await credit([one.subscription_id], 5, op_id);
    const mismatch = { code: 'operation_mismatch' };
    await expect(credit([one.subscription_id], 6, op_id)).rejects.toMatchObject(mismatch);
    await expect(credit([other.subscription_id], 5, op_id)).rejects.toMatchObject(mismatch);
    const both = [other.subscription_id, one.subscription_id];
    await expect(credit(both, 5, op_id)).rejects.toMatchObject(mismatch);
    expect(await credit([one.subscription_id], 5, op_id)).toEqual(first);
    const given = await credit(both, 2);
    expect(given.map(({ subscription_id }) => subscription_id).sort()).toEqual([...both].sort());
  });
  it('go to all of those that are named or to none', async () => {
    const { charge: one } = await paid();
    await expect(credit([one.subscription_id, 'nothing'])).rejects.toMatchObject({ code: 'credit_nothing' });
    for (const days of [0, -3, 1.5, 367, 2 ** 53, Number.NaN])
      await expect(credit([one.subscription_id], days)).rejects.toMatchObject({ code: 'credit_days' });
  });
});

it('keeps bounded notes with who and when', async () => {
  const add = (text: string, who = staff) =>
    database.sql.begin((tx) => addBillingNote(tx, who, { user_id: payer.user_id, text }, now));
  await add('called twice');
  expect(await billingNotes(database.sql, payer.user_id)).toMatchObject([
    { text: 'called twice', author: staff.username },
  ]);
  await expect(add('x'.repeat(2001))).rejects.toMatchObject({ code: 'billing_note_length' });
  await expect(add('mine', payer)).rejects.toMatchObject({ code: 'admins_only' });
});

it('looks through the ledger by person and month, a page at a time', async () => {
  const { charge: one } = await paid();
  for (let turn = 0; turn < ledgerPageSize; turn++) await give(one.id, { amount_minor: 1 });
  const of = { user_id: payer.user_id };
  const [newest, others] = [await ledgerTransactions(database.sql, of), 2];
  expect(newest).toHaveLength(ledgerPageSize + 1);
  const before = newest[ledgerPageSize - 1]!.id;
  const theirs = [
    ...newest.slice(0, ledgerPageSize),
    ...(await ledgerTransactions(database.sql, { ...of, before })),
  ];
  expect(theirs.map(({ kind }) => kind).sort()).toEqual([
    ...['invoice', 'payment'],
    ...Array(ledgerPageSize).fill('refund'),
  ]);
  expect(theirs.slice(ledgerPageSize)).toHaveLength(others);
  const ofCustomer = theirs.flatMap(({ entries }) => entries).filter(({ username }) => username !== null);
  expect(ofCustomer.map(({ account }) => account)).toEqual(Array(others).fill(`customer:${payer.user_id}`));
  for (const { about } of theirs)
    expect(about).toMatchObject({ user_id: payer.user_id, username: payer.username, product: 'server' });
  const invoices = await ledgerTransactions(database.sql, { ...of, account: `customer:${payer.user_id}` });
  expect(invoices.map(({ kind }) => kind).sort()).toEqual(['invoice', 'payment']);
  expect(await ledgerTransactions(database.sql, { user_id: null })).toEqual([]);
  const account = { account: 'processor:test', month: '2026-01-01' };
  const first = await ledgerTransactions(database.sql, account);
  expect(first).toHaveLength(ledgerPageSize + 1);
  const next = await ledgerTransactions(database.sql, { ...account, before: first[ledgerPageSize - 1]!.id });
  expect(next[0]).toEqual(first[ledgerPageSize]);
  expect(await ledgerTransactions(database.sql, { ...account, month: '2025-12-01' })).toEqual([]);
});
