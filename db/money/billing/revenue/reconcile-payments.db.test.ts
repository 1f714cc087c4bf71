import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { nodeWithRoom, orderInput, slowCard, testBilling, testCard } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { cancel, checkout } from '../checkout.ts';
import { applyDispute } from '../disputes.ts';
import type { Dispute } from '../payments.ts';
import { buyPlus } from '../plus-orders/checkout.ts';
import { refundByStaff } from '../staff-refunds/write.ts';
import { reconcileLedger } from './reconcile.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date();
beforeAll(() => nodeWithRoom(database.sql, { rooms: 100 }));

const card = testCard('4242424242424242');
const order = async (with_card = card) => {
  const actor = build.actorFor(await build.user(database.sql));
  const { server_id } = await checkout(till, actor, orderInput(), with_card, now);
  const [charge] = await database.sql<Array<{ id: string; intent_id: string; amount_minor: number }>>`
    select c.id, c.intent_id, c.amount_minor from charges c where c.user_id = ${actor.user_id}`;
  return { actor, server_id, ...charge! };
};
const dispute = (intent_id: string, some: Partial<Dispute>) =>
  database.sql.begin((tx) =>
    applyDispute(
      tx,
      'test',
      {
        ...{ id: `dp_${intent_id}`, intent_id, state: 'open', amount_minor: 1200, withdrawn: true },
        ...{ returned: false, fees: { withdrawn: { amount_minor: 1500, currency: 'USD' }, returned: null } },
        ...some,
      },
      now,
    ),
  );
const differences = () => reconcileLedger(database.sql);

it('agrees about payments, refunds, disputes, fees and what is not paid yet', async () => {
  await order();
  await order(slowCard);
  await expect(order(testCard('4000000000000002'))).rejects.toMatchObject({ code: 'payment_declined' });
  const whole = await order();
  await cancel(till, whole.actor, whole.server_id, now); // it has no place yet
  const part = await order();
  const admin = { ...build.actorFor(await build.user(database.sql)), role: 'admin' as const };
  const input = { charge_id: part.id, seen_minor: null, reason: 'lag', takes_service: false };
  for (const amount_minor of [300, null])
    await database.sql.begin((tx) =>
      refundByStaff(tx, till, admin, { ...input, op_id: randomUUID(), amount_minor }, now),
    );
  const [lost, won, open] = [await order(), await order(), await order()];
  await dispute(lost.intent_id, { state: 'lost' });
  await dispute(open.intent_id, { amount_minor: 500 });
  await dispute(won.intent_id, {});
  await dispute(won.intent_id, { state: 'won', returned: true });
  const { actor } = await order();
  await buyPlus(till, actor, { op_id: randomUUID(), interval: 'monthly', currency: 'USD' }, card, now);
  expect(await differences()).toEqual([]);
});

it.each([
  ['processor:test', 'income:servers'],
  ['processor:test', 'income:plus'],
  ['customer:nobody', 'processor:test'],
])('names %s and %s, between which money moved for no charge', async (from, to) => {
  const { sql } = database;
  const id = `bogus${from.length}${to.length}`;
  await sql.begin(async (tx) => {
    await tx`insert into ledger_accounts select a, split_part(a, ':', 1) from unnest(${[from, to]}::text[]) a on conflict do nothing`;
    await tx`insert into ledger_transactions (id, kind, reference, created) values (${id}, 'refund', ${id}, now())`;
    await tx`insert into ledger_entries values (${id}, ${from}, 'USD', -99900), (${id}, ${to}, 'USD', 99900)`;
  });
  const found = await differences();
  expect(found.map(({ what }) => what)).toEqual([`${from} USD`, `${to} USD`].sort());
  for (const { what, ledger, expected } of found)
    expect(Number(ledger) - Number(expected)).toBe(what.startsWith(from) ? -99900 : 99900);
  // what is wrong is balanced by another transaction
  await sql.begin(async (tx) => {
    await tx`insert into ledger_transactions (id, kind, reference, created) values (${`${id}b`}, 'refund', ${`${id}b`}, now())`;
    await tx`insert into ledger_entries values (${`${id}b`}, ${from}, 'USD', 99900), (${`${id}b`}, ${to}, 'USD', -99900)`;
  });
  expect(await differences()).toEqual([]);
});

it('names a refund that the ledger does not have', async () => {
  const { id } = await order();
  await database.sql`update charges set state = 'refunded' where id = ${id}`;
  expect((await differences()).map(({ what }) => what)).toEqual(['income:servers USD', 'processor:test USD']);
  await database.sql`update charges set state = 'succeeded' where id = ${id}`;
  expect(await differences()).toEqual([]);
});
