import { expect, test } from 'vitest';
import { nodeWithRoom, orderInput, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { checkout } from './checkout.ts';
import { upsertPaymentMethod } from './store-method.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-04-01T00:00:00Z');
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const person = async () => build.actorFor(await build.user(database.sql));

const add = async (
  actor: Awaited<ReturnType<typeof person>>,
  card: string,
  now = start,
  processor = 'stripe',
) => {
  const method = { reference: `ref ${card}`, fingerprint: card, brand: 'visa', last_four: '4242' };
  const expiry = { expires_month: 12, expires_year: 2030 };
  return await code(
    database.sql.begin((tx) => upsertPaymentMethod(tx, actor, processor, { ...method, ...expiry }, now)),
  );
};

test('an account adds twenty new cards a day, removed ones among them, and its own again', async () => {
  const actor = await person();
  for (let card = 0; card < 20; card += 1) {
    expect(await add(actor, `own ${card}`)).toBe('done');
    await database.sql`update payment_methods set removed = ${start} where user_id = ${actor.user_id}`;
  }
  expect(await add(actor, 'own 20')).toBe('payment_tries_limit');
  expect(await add(actor, 'own 3')).toBe('done');
  expect(await add(actor, 'own 20', later(25))).toBe('done');
});

test('a card is added at five accounts a day', async () => {
  for (let account = 0; account < 5; account += 1) expect(await add(await person(), 'stolen')).toBe('done');
  const sixth = await person();
  expect(await add(sixth, 'stolen')).toBe('payment_tries_limit');
  expect(await add(sixth, 'another')).toBe('done');
  expect(await add(sixth, 'stolen', start, 'test')).toBe('done');
  expect(await add(await person(), 'stolen', later(25))).toBe('done');
});

test('ten payments of an account fail a day, then none is tried', async () => {
  await nodeWithRoom(database.sql, { rooms: 30, seen: start });
  const actor = await person();
  const declined = testCard('4000000000000002');
  const order = (card: ReturnType<typeof testCard>, now = start) =>
    code(checkout(till, actor, orderInput({ plan: 'small' }), card, now));
  for (let tries = 0; tries < 10; tries += 1) expect(await order(declined)).toBe('payment_declined');
  expect(await order(testCard('4242424242424242'))).toBe('payment_tries_limit');
  await nodeWithRoom(database.sql, { rooms: 30, seen: later(25) });
  expect(await order(testCard('4242424242424242'), later(25))).toBe('done');
});
