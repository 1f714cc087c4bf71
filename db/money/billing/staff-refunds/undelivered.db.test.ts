import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../../hosting/servers/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { refund } from '../charges.ts';
import { cancel, changePlan, checkout, collectCharge } from '../checkout.ts';
import { applyDispute } from '../disputes.ts';
import { balances } from '../ledger.ts';
import { paidOrder } from '../read.ts';
import { dueSubscriptions, processDue } from '../renewals.ts';
import { reconcileLedger } from '../revenue/reconcile.ts';
import { refundByStaff } from './write.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-04-01T00:00:00Z');
const middle = new Date('2026-04-16T00:00:00Z');
const next_day = new Date('2026-04-17T00:00:00Z');
const renewed = new Date('2026-05-01T00:00:01Z');
const good = testCard('4242424242424242');
let actor: Actor;
let staff: Actor;
let node_id: string;
let ports = 27_000;
beforeEach(async () => {
  await database.sql`update servers set node_id = null, port = null`;
  await database.sql`delete from nodes`;
  node_id = await nodeWithRoom(database.sql, { seen: start });
  const facts = { cpu_millis: 8000, ram_mb: 64 * 1024, disk_mb: 1024 * 1024, kinds: ['local'] };
  await database.sql`update nodes set facts = ${database.sql.json(facts)} where id = ${node_id}`;
  actor = build.actorFor(await build.user(database.sql));
  staff = { ...build.actorFor(await build.user(database.sql)), role: 'admin' };
});

/** A server on its node that is ready, paid for a month. */
async function placed(): Promise<string> {
  const { server_id, order_id } = await checkout(till, actor, orderInput(), good, start);
  await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
  await database.sql`
    update servers set node_id = ${node_id}, port = ${ports++}, lifecycle = 'ready', seen = '{"installed": 1}'
    where id = ${server_id}`;
  return server_id;
}
async function renew(now: Date): Promise<void> {
  for (const id of await dueSubscriptions(database.sql, now, 100)) {
    const { charge_id } = await database.sql.begin((tx) => processDue(tx, id, 'test', now));
    if (charge_id) await collectCharge(till, charge_id, now);
  }
}
const upgrade = (server_id: string, plan: string, interval: string, now: Date) =>
  changePlan(till, actor, { server_id, op_id: randomUUID(), plan, interval }, good, now);
/** The charges in the order of their payment: why, how they stand, and what was given back of them. */
const stands = async () =>
  (
    await database.sql<Array<{ line: string }>>`
      select c.reason || ' ' || c.state || ' ' || c.amount_minor || ' ' || coalesce((
        select sum(r.amount_minor) from refunds r where r.charge_id = c.id), 0) as line
      from charges c where c.user_id = ${actor.user_id} order by c.created, c.reason = 'change', c.id`
  ).map(({ line }) => line);
const chargeOf = async (reason: string) =>
  (
    await database.sql<Array<{ id: string; intent_id: string; amount_minor: number }>>`
      select id, intent_id, amount_minor from charges where user_id = ${actor.user_id} and reason = ${reason}`
  )[0]!;
/** What is kept of this person's payments by the ledger. */
const kept = async () => {
  const [row] = await database.sql<[{ kept: number }]>`
    select coalesce(sum(e.amount_minor), 0)::int as kept from ledger_entries e
      join ledger_transactions t on t.id = e.transaction_id
    where e.account_id = 'processor:test' and (
      t.charge_id in (select id from charges where user_id = ${actor.user_id}) or t.reference in (
        select r.id from refunds r join charges c on c.id = r.charge_id where c.user_id = ${actor.user_id}))`;
  return row.kept;
};
const notes = async () => {
  const [row] = await database.sql<[{ credited: number }]>`
    select coalesce(sum(i.amount_minor), 0)::int as credited from invoices i join charges c on c.id = i.charge_id
    where c.user_id = ${actor.user_id} and i.kind = 'credit_note'`;
  return row.credited;
};
/** The node of a server is lost, and its owner cancels. Gives what the processor was asked to give back. */
async function loseAndCancel(server_id: string, now: Date): Promise<number[]> {
  await database.sql`update servers set node_id = null, port = null where id = ${server_id}`;
  till.jobs.length = 0;
  await cancel(till, actor, server_id, now);
  const asked: number[] = [];
  const payments = {
    ...till.payments,
    refund: async ({ amount_minor }: { amount_minor: number }) => void asked.push(amount_minor),
  };
  for (const { name, data } of till.jobs)
    if (name === 'refund_charge') await refund(database.sql, payments, data as never, now);
  expect(await reconcileLedger(database.sql)).toEqual([]);
  expect((await balances(database.sql)).some(([account]) => account.includes(actor.user_id))).toBe(false);
  return asked;
}
const giveBack = (charge_id: string, amount_minor: number | null) =>
  database.sql.begin((tx) =>
    refundByStaff(
      tx,
      till,
      staff,
      {
        ...{ op_id: randomUUID(), charge_id, amount_minor, seen_minor: null },
        ...{ reason: 'lag', takes_service: false },
      },
      renewed,
    ),
  );
const dispute = async (reason: string, state: 'open' | 'won' | 'lost') => {
  const { intent_id, amount_minor } = await chargeOf(reason);
  const one = { id: 'dp_1', intent_id, state, amount_minor, withdrawn: true, returned: state === 'won' };
  const fees = { withdrawn: null, returned: null };
  await database.sql.begin((tx) => applyDispute(tx, 'test', { ...one, fees }, middle));
};

describe('a server without a place that is canceled gives back', () => {
  it('the change to its period, and what that took over of the period before', async () => {
    const id = await placed();
    await upgrade(id, 'small', 'yearly', middle);
    expect(await loseAndCancel(id, middle)).toEqual([11_400, 600]);
    expect(await stands()).toEqual(['first succeeded 1200 600', 'change refunded 11400 11400']);
    expect([await kept(), await notes()]).toEqual([600, 12_000]);
  });

  it('all that was paid when it was changed at once', async () => {
    const id = await placed();
    await upgrade(id, 'small', 'yearly', start);
    expect((await loseAndCancel(id, start)).reduce((sum, part) => sum + part, 0)).toBe(12_000);
    expect([await kept(), await notes()]).toEqual([0, 12_000]);
  });

  it('what several changes of one period took over', async () => {
    const id = await placed();
    await upgrade(id, 'medium', 'monthly', middle);
    await database.sql`update plan_changes set state = 'applied' where server_id = ${id}`;
    await upgrade(id, 'large', 'monthly', next_day);
    // 1740 were left of 1800: of the 1200 for that change all, and 540 of the 600 that it had taken over
    expect(await loseAndCancel(id, next_day)).toEqual([660, 1_200, 540]);
    expect([await kept(), await notes()]).toEqual([660, 2_400]);
  });

  it('nothing of the month before when staff gave this one back', async () => {
    const id = await placed();
    await renew(renewed);
    await giveBack((await chargeOf('renewal')).id, null);
    expect(await loseAndCancel(id, renewed)).toEqual([]);
    expect(await stands()).toEqual(['first succeeded 1200 0', 'renewal refunded 1200 1200']);
    expect([await kept(), await notes()]).toEqual([1_200, 1_200]);
  });

  it('the rest of what staff gave back', async () => {
    const id = await placed();
    await renew(renewed);
    await giveBack((await chargeOf('renewal')).id, 200);
    expect(await loseAndCancel(id, renewed)).toEqual([1_000]);
    expect([await kept(), await notes()]).toEqual([1_200, 1_200]);
  });

  it('nothing of a change before the period', async () => {
    const id = await placed();
    await upgrade(id, 'medium', 'monthly', middle);
    await renew(new Date('2026-05-16T00:00:01Z'));
    expect(await loseAndCancel(id, new Date('2026-05-17T00:00:00Z'))).toEqual([1_800]);
    expect(await kept()).toBe(1_200 + 1_200);
  });

  it.each(['open', 'lost'] as const)('nothing of a charge whose dispute is %s', async (state) => {
    const id = await placed();
    await dispute('first', state);
    await database.sql`
      update subscriptions set state = 'active', grace_until = null, grace_reason = null where server_id = ${id}`;
    expect(await loseAndCancel(id, middle)).toEqual([]);
    expect([await kept(), await notes()]).toEqual([0, 0]);
  });

  it('what a dispute that was won gave back to us', async () => {
    const id = await placed();
    await dispute('first', 'open');
    await dispute('first', 'won');
    expect(await loseAndCancel(id, middle)).toEqual([1_200]);
    expect(await kept()).toBe(0);
  });
});
