import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../../hosting/servers/write.ts';
import { type Actor, operator } from '../../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { changePlan, checkout } from '../checkout.ts';
import { applyDispute } from '../disputes.ts';
import { paidOrder } from '../read.ts';
import { refundByStaff } from '../staff-refunds/write.ts';
import { previewPlanChange } from './write.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-04-01T00:00:00Z');
const middle = new Date('2026-04-16T00:00:00Z');
const good = testCard('4242424242424242');
let actor: Actor;
let server_id: string;
let ports = 27_000;
beforeEach(async () => {
  await database.sql`update servers set node_id = null, port = null`;
  await database.sql`delete from nodes`;
  const node_id = await nodeWithRoom(database.sql, { seen: start });
  const facts = { cpu_millis: 8000, ram_mb: 64 * 1024, disk_mb: 1024 * 1024, kinds: ['local'] };
  await database.sql`update nodes set facts = ${database.sql.json(facts)} where id = ${node_id}`;
  actor = build.actorFor(await build.user(database.sql));
  const bought = await checkout(till, actor, orderInput({ interval: 'yearly' }), good, start);
  server_id = bought.server_id;
  await createServer(database.sql, (await paidOrder(database.sql, bought.order_id))!);
  await database.sql`
    update servers set node_id = ${node_id}, port = ${ports++}, lifecycle = 'ready', seen = '{"installed": 1}'
    where id = ${server_id}`;
});

const wanted = (plan: string, interval = 'yearly') => ({ server_id, plan, interval });
const due = async (plan: string, now: Date) => {
  const { kind, credit_minor, due_minor } = await previewPlanChange(database.sql, actor, wanted(plan), now);
  return [kind, credit_minor, due_minor];
};
const upgrade = (plan: string, now: Date) =>
  changePlan(till, actor, { ...wanted(plan), op_id: randomUUID() }, good, now);
const newest = async () =>
  (
    await database.sql<Array<{ id: string; intent_id: string; amount_minor: number }>>`
      select id, intent_id, amount_minor from charges where user_id = ${actor.user_id}
      order by created desc, reason = 'change' desc limit 1`
  )[0]!;
const giveBack = async (amount_minor: number | null) => {
  const { id } = await newest();
  const input = { op_id: randomUUID(), charge_id: id, amount_minor, seen_minor: null };
  await database.sql.begin((tx) =>
    refundByStaff(tx, till, operator, { ...input, reason: 'lag', takes_service: false }, start),
  );
};

describe('the credit for a change of plan', () => {
  it('is nothing when the period was given back, and the service kept', async () => {
    expect(await due('medium', start)).toEqual(['now', 12_000, 6_000]);
    await giveBack(null);
    expect(await due('medium', start)).toEqual(['now', 0, 18_000]);
    await upgrade('medium', start);
    expect((await newest()).amount_minor).toBe(18_000);
  });

  it('is of what is left after a part was given back', async () => {
    await giveBack(4_000);
    expect(await due('medium', start)).toEqual(['now', 8_000, 10_000]);
  });

  it('is of the whole price after a change that was paid in part with credit', async () => {
    await upgrade('medium', start);
    await database.sql`update plan_changes set state = 'applied' where server_id = ${server_id}`;
    expect((await newest()).amount_minor).toBe(6_000);
    expect(await due('large', start)).toEqual(['now', 18_000, 6_000]);
    await giveBack(1_000);
    expect(await due('large', start)).toEqual(['now', 17_000, 7_000]);
    await giveBack(null);
    // what the change took over of the first payment is still theirs
    expect(await due('large', start)).toEqual(['now', 12_000, 12_000]);
  });

  it('is nothing while the bank has the money, and is back with it', async () => {
    const { intent_id, amount_minor } = await newest();
    const fees = { withdrawn: null, returned: null };
    const dispute = (state: 'open' | 'won') => ({
      ...{ id: 'dp_1', intent_id, state, amount_minor, withdrawn: true, returned: state === 'won', fees },
    });
    await database.sql.begin((tx) => applyDispute(tx, 'test', dispute('open'), middle));
    expect(await due('medium', start)).toEqual(['now', 0, 18_000]);
    await database.sql.begin((tx) => applyDispute(tx, 'test', dispute('won'), middle));
    expect(await due('medium', start)).toEqual(['now', 12_000, 6_000]);
  });
});
