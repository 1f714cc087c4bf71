import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../../hosting/servers/write.ts';
import { type Actor, operator } from '../../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, slowCard, testBilling, testCard } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { changePlan, checkout, collectCharge } from '../checkout.ts';
import { paidOrder } from '../read.ts';
import { dueSubscriptions, processDue, unsettledCharges } from '../renewals.ts';
import { creditDays } from './credits.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-01-15T12:00:00Z');
const at = (text: string) => new Date(`2026-${text}T12:00:01Z`);
const unanswered = { intent_id: null, state: 'waiting', failure: null, unanswered: true } as const;
let actor: Actor;
let server_id: string;
let ports = 27_000;
beforeEach(async () => {
  await database.sql`update servers set node_id = null, port = null`;
  await database.sql`update subscriptions set state = 'ended', grace_until = null`;
  await database.sql`update charges set state = 'failed' where state in ('open', 'waiting')`;
  await database.sql`delete from nodes`;
  actor = build.actorFor(await build.user(database.sql));
});

/** A server that is ready, paid with this card from `start` on. */
async function paid(card = testCard('4242424242424242')): Promise<void> {
  const node_id = await nodeWithRoom(database.sql, { seen: start });
  const facts = { cpu_millis: 8000, ram_mb: 64 * 1024, disk_mb: 1024 * 1024, kinds: ['local'] };
  await database.sql`update nodes set facts = ${database.sql.json(facts)} where id = ${node_id}`;
  const bought = await checkout(till, actor, orderInput(), card, start);
  server_id = bought.server_id;
  await createServer(database.sql, (await paidOrder(database.sql, bought.order_id))!);
  await database.sql`
    update servers set node_id = ${node_id}, port = ${ports++}, lifecycle = 'ready', seen = '{"installed": 1}'
    where id = ${server_id}`;
}
const one = async () => {
  const [row] = await database.sql<Array<{ id: string; line: string }>>`
    select id, state || ' ' || to_char(period_start at time zone 'UTC', 'MM-DD') || ' '
      || to_char(period_end at time zone 'UTC', 'MM-DD') as line from subscriptions where server_id = ${server_id}`;
  return row!;
};
const stands = async () => (await one()).line;
const give = async (days: number, now: Date, op_id: string = randomUUID()) => {
  const target = { subscription_ids: [(await one()).id] };
  await database.sql.begin((tx) => creditDays(tx, operator, { op_id, target, days, reason: 'outage' }, now));
};
/** Opens what is due and does not send it yet. */
const open = async (now: Date): Promise<string | null> => {
  const [id] = await dueSubscriptions(database.sql, now, 100);
  return id ? (await database.sql.begin((tx) => processDue(tx, id, 'test', now))).charge_id : null;
};
const renew = async (now: Date) => {
  const charge_id = await open(now);
  if (charge_id) await collectCharge(till, charge_id, now);
};

describe('days that are given while a payment is under way', () => {
  it('come before the period of a renewal, and later periods are whole', async () => {
    await paid();
    const charge_id = await open(at('02-15'));
    const op_id = randomUUID();
    for (let turn = 0; turn < 2; turn++) await give(20, at('02-15'), op_id);
    expect(await stands()).toBe('active 01-15 03-07');
    await collectCharge(till, charge_id!, at('02-15'));
    expect(await stands()).toBe('active 03-07 04-07');
    expect(await open(at('04-06'))).toBeNull();
    await renew(at('04-07'));
    expect(await stands()).toBe('active 04-07 05-07');
  });

  it('stay when that renewal fails: it is tried again when they are over', async () => {
    await paid(testCard('4000000000000341'));
    const charge_id = await open(at('02-15'));
    await give(20, at('02-15'));
    expect((await collectCharge(till, charge_id!, at('02-15')))?.state).toBe('failed');
    expect(await stands()).toBe('active 01-15 03-07');
    expect(await open(at('03-06'))).toBeNull();
    await renew(at('03-07'));
    expect(await stands()).toBe('failed 01-15 03-07');
    const periods = await database.sql`
      select to_char(period_start at time zone 'UTC', 'MM-DD') as from, to_char(period_end at time zone 'UTC', 'MM-DD') as to
      from charges where user_id = ${actor.user_id} and created = ${at('03-07')}`;
    expect([...periods]).toEqual([{ from: '03-07', to: '04-07' }]);
  });

  it('come before the period of a renewal that was missed for long', async () => {
    await paid();
    const charge_id = await open(at('06-10'));
    await give(5, at('06-10'));
    await collectCharge(till, charge_id!, at('06-10'));
    expect(await stands()).toBe('active 06-15 07-15');
    await renew(at('07-16'));
    expect(await stands()).toBe('active 07-15 08-15');
  });

  it.each([
    ['monthly', 'active 02-14 03-14', at('03-15'), 'active 03-14 04-14'],
    ['yearly', 'active 02-14 02-14', at('02-13'), 'active 02-14 02-14'],
  ])('come before the period of a change that waits: %s', async (interval, changed, next, later) => {
    await paid();
    const asked = { server_id, op_id: randomUUID(), plan: 'large', interval };
    expect(await changePlan(till, actor, asked, slowCard, at('01-25'))).toBe('waiting');
    await give(20, at('01-25'));
    expect(await stands()).toBe('active 01-15 03-07');
    const [charge_id] = await unsettledCharges(database.sql, 'test', at('01-26'), 1);
    await collectCharge(till, charge_id!, at('01-26'));
    expect(await stands()).toBe(changed);
    await renew(next);
    expect(await stands()).toBe(later);
  });

  it('stay when the payment of a change fails', async () => {
    await paid();
    const asked = { server_id, op_id: randomUUID(), plan: 'large', interval: 'monthly' };
    const lost = { ...till, payments: { ...till.payments, charge: async () => unanswered } };
    expect(await changePlan(lost, actor, asked, null, at('01-25'))).toBe('waiting');
    await give(20, at('01-25'));
    const declined = { intent_id: null, state: 'failed', failure: 'declined' } as const;
    const refuses = { ...till, payments: { ...till.payments, charge: async () => declined } };
    const [charge_id] = await unsettledCharges(database.sql, 'test', at('01-26'), 1);
    await collectCharge(refuses, charge_id!, at('01-26'));
    expect(await stands()).toBe('active 01-15 03-07');
    await renew(at('03-07'));
    expect(await stands()).toBe('active 03-07 04-07');
  });
});
