import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createServer } from '../../../hosting/servers/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { openCharge } from '../charges.ts';
import { checkout } from '../checkout.ts';
import { buyPlus } from '../plus-orders/checkout.ts';
import { paidOrder } from '../read.ts';
import { reconcileLedger } from '../revenue/reconcile.ts';
import { endServiceByStaff, type ServiceStep, subscriptionOfCharge } from './end-service.ts';
import { staffSubscriptionsOf } from './read.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
const card = { number: '4242424242424242', expires_month: 12, expires_year: 2030 };
let payer: Actor;
let staff: Actor;
beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
});
beforeEach(async () => {
  payer = build.actorFor(await build.user(database.sql));
  staff = { ...build.actorFor(await build.user(database.sql)), role: 'admin' };
});

async function server(): Promise<string> {
  const { order_id } = await checkout(till, payer, orderInput(), card, now);
  const order = await paidOrder(database.sql, order_id);
  await database.sql.begin((tx) => createServer(tx, order!));
  till.jobs.length = 0;
  return (await one()).id;
}
async function plus(): Promise<string> {
  await buyPlus(till, payer, { op_id: randomUUID(), interval: 'monthly', currency: 'USD' }, card, now);
  till.jobs.length = 0;
  const all = await staffSubscriptionsOf(database.sql, payer.user_id);
  return all.find(({ server_id }) => server_id === null)!.id;
}
const one = async () => (await staffSubscriptionsOf(database.sql, payer.user_id))[0]!;
const end = (subscription_id: string, step: ServiceStep, reason = 'it lagged', who = staff) =>
  database.sql.begin((tx) => endServiceByStaff(tx, till.board, who, { subscription_id, step, reason }, now));
const jobs = () => till.jobs.map(({ name }) => name as string);
/** What the audit log is made of. */
const stored = async (name: string) => {
  const events = await database.sql<Array<{ data: object; user_id: string }>>`
    select data, user_id from events where name = ${name} and actor_id = ${staff.user_id} order by id`;
  return events.map(({ data, user_id }) => ({ ...data, user_id }) as Record<string, unknown>);
};

it.each(['paid', 'refunded', 'failed', 'disputed'])(
  'takes a service whose charge is %s, with the reason',
  async (as) => {
    const id = await server();
    const own = { subscription_id: id };
    if (as === 'refunded')
      await database.sql`update charges set state = 'refunded' where subscription_id = ${id}`;
    if (as === 'failed')
      await database.sql`update subscriptions set state = 'failed', attempts = 1 where id = ${id}`;
    if (as === 'disputed')
      await database.sql`update charges set dispute = 'lost' where subscription_id = ${id}`;
    await end(id, 'take', '  resold \n the server ');
    expect(await one()).toMatchObject({ id, state: 'ended' });
    expect(jobs()).toEqual(['reconcile_server']);
    expect(await stored('service.taken')).toEqual([
      { ...own, charge_id: null, reason: 'resold the server', user_id: payer.user_id },
    ]);
    // once
    await end(id, 'take');
    expect(jobs()).toEqual(['reconcile_server']);
  },
);

it('cancels with the paid period, a server and Plus', async () => {
  const id = await server();
  await end(id, 'cancel');
  expect(await one()).toMatchObject({ id, state: 'cancelled' });
  expect(jobs()).toEqual([]);
  await expect(end(id, 'cancel')).rejects.toMatchObject({ code: 'subscription_cancelled' });
  const other = await plus();
  await end(other, 'cancel', 'asked for it');
  expect((await staffSubscriptionsOf(database.sql, payer.user_id)).map(({ state }) => state)).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect((await stored('service.cancelled')).map(({ subscription_id }) => subscription_id).sort()).toEqual(
    [id, other].sort(),
  );
});

it('cancels one whose payment failed: a server gets its grace period, Plus ends', async () => {
  const id = await server();
  await database.sql`update subscriptions set state = 'failed', attempts = 1 where id = ${id}`;
  await end(id, 'cancel');
  expect(await one()).toMatchObject({ id, state: 'grace' });
  expect(jobs()).toEqual(['reconcile_server']);
  const other = await plus();
  await database.sql`update subscriptions set state = 'failed', attempts = 1 where id = ${other}`;
  await end(other, 'cancel');
  const ended = (await staffSubscriptionsOf(database.sql, payer.user_id)).find((each) => each.id === other);
  expect(ended).toMatchObject({ state: 'ended' });
});

it('voids a charge that was not sent, and none that was', async () => {
  const id = await server();
  expect(await one()).toMatchObject({ has_unsent: false });
  await expect(end(id, 'void')).rejects.toMatchObject({ code: 'charge_sent' });
  // its renewal is due
  await database.sql`update subscriptions set period_end = ${now} where id = ${id}`;
  const period = { period_start: now, period_end: new Date('2026-02-28T12:00:00Z') };
  const charge_id = await database.sql.begin((tx) =>
    openCharge(tx, { subscription_id: id, reason: 'renewal', processor: 'test', ...period, by: null }, now),
  );
  expect(await one()).toMatchObject({ has_unsent: true });
  await end(id, 'void');
  const [charge] = await database.sql`select state, failure, intent_id from charges where id = ${charge_id}`;
  expect(charge).toEqual({ state: 'failed', failure: 'cancelled', intent_id: null });
  // it is tried again, as after a payment that failed
  expect(await one()).toMatchObject({ has_unsent: false, state: 'failed', attempts: 1 });
  expect(await stored('charge.voided')).toMatchObject([
    { subscription_id: id, charge_id, reason: 'it lagged' },
  ]);
  // what was asked for is taken back; other tests make up what they change
  const differences = await reconcileLedger(database.sql);
  expect(differences.filter(({ what }) => what.startsWith('customer:'))).toEqual([]);
});

it('is for administrators, with a reason, and about what there is', async () => {
  const id = await server();
  const moderator: Actor = { ...staff, role: 'moderator' };
  for (const step of ['take', 'cancel', 'void'] as const) {
    await expect(end(id, step, 'why', moderator)).rejects.toMatchObject({ code: 'admins_only' });
    await expect(end(id, step, 'why', payer)).rejects.toMatchObject({ code: 'admins_only' });
    await expect(end(id, step, ' \n ')).rejects.toMatchObject({ code: 'reason_required' });
    await expect(end('nothing', step)).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await one()).toMatchObject({ state: 'active' });
  await expect(subscriptionOfCharge(database.sql, 'nothing')).rejects.toMatchObject({
    code: 'charge_not_found',
  });
});
