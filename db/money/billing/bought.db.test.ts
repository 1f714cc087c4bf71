import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createServer } from '../../hosting/servers/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, slowCard, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { changePlan, checkout, collectCharge } from './checkout.ts';
import { chargesOf } from './desk/read.ts';
import { paymentRecords } from './desk/records.ts';
import { issueInvoiceByStaff } from './invoices/write.ts';
import { paidOrder, paymentsOf } from './read.ts';
import { processDue } from './renewals.ts';

/** A charge says what was bought with it, whatever its subscription has become since. */
const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-04-01T00:00:00Z');
const renewed = new Date('2026-05-01T00:00:00Z');
const later = new Date('2026-05-01T01:00:00Z');
const good = testCard('4242424242424242');
let actor: Actor;
let server_id: string;
let node_id: string;
let port = 27_000;
beforeAll(async () => {
  node_id = await nodeWithRoom(database.sql, { rooms: 1_000, seen: start });
  const facts = { cpu_millis: 8_000_000, ram_mb: 8_000_000, disk_mb: 64_000_000, kinds: ['local'] };
  await database.sql`update nodes set facts = ${database.sql.json(facts)}`;
});
beforeEach(async () => {
  actor = build.actorFor(await build.user(database.sql));
  const bought = await checkout(till, actor, orderInput(), good, start);
  await createServer(database.sql, (await paidOrder(database.sql, bought.order_id))!);
  server_id = bought.server_id;
  port += 1;
  await database.sql`
    update servers set node_id = ${node_id}, port = ${port}, lifecycle = 'ready', seen = '{"installed": 1}'
    where id = ${server_id}`;
  const [one] = await database.sql<
    [{ id: string }]
  >`select id from subscriptions where server_id = ${server_id}`;
  const due = await database.sql.begin((tx) => processDue(tx, one.id, 'test', renewed));
  await collectCharge(till, due.charge_id!, renewed);
});

const change = (plan: string, interval: string, card = good) => {
  const asked = { server_id, plan, interval, op_id: randomUUID() };
  return changePlan(till, actor, asked, card, later);
};
/** Reason, memory in GB and interval of the charges, oldest first. */
const bought = (all: Array<{ what: string; ram_mb: number | null; term: string }>) =>
  all.map(({ what, ram_mb, term }) => [what, ram_mb && ram_mb / 1024, term]).reverse();
const old = [
  ['first', 4, 'monthly'],
  ['renewal', 4, 'monthly'],
];

it('is shown to its payer, to programs and to staff as it was sold', async () => {
  await change('large', 'yearly');
  const all = [...old, ['change', 8, 'yearly']];
  const { payments } = await paymentsOf(database.sql, { user_id: actor.user_id }, 1);
  expect(bought(payments.map((one) => ({ ...one, what: one.reason })))).toEqual(all);
  const records = await paymentRecords(database.sql, actor.user_id);
  expect(bought(records.map((one) => ({ ...one, what: one.kind })))).toEqual(all);
  const { charges } = await chargesOf(database.sql, actor.user_id, 1);
  expect(bought(charges.map((one) => ({ ...one, what: one.reason })))).toEqual(all);
});

it('is on an invoice that is issued later', async () => {
  await change('large', 'yearly');
  const [first] = await database.sql<[{ id: string }]>`
    select id from charges where user_id = ${actor.user_id} and reason = 'first'`;
  await database.sql.begin(async (tx) => {
    await tx`alter table invoices disable trigger invoices_kept`;
    await tx`delete from invoices where charge_id = ${first.id}`;
    await tx`alter table invoices enable trigger invoices_kept`;
    const admin = { ...actor, role: 'admin' as const };
    await issueInvoiceByStaff(tx, admin, till.mailing.settings, till.payments, first.id, renewed);
  });
  const [invoice] = await database.sql`
    select content->'item'->>'product' as product, content->'item'->>'term' as term from invoices
    where charge_id = ${first.id}`;
  expect(invoice).toEqual({ product: '4 GB', term: 'monthly' });
});

it('is what was asked for while a change of plan waits for its payment', async () => {
  await change('large', 'monthly', slowCard);
  const [newest] = (await paymentsOf(database.sql, { server_id }, 1)).payments;
  expect(newest).toMatchObject({ reason: 'change', state: 'waiting', ram_mb: 8192, term: 'monthly' });
});
