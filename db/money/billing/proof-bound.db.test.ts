import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Actor } from '../../platform/people/rules.ts';
import { unrestrictedScopes } from '../../platform/people/scopes/rules.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { cancel, changePlan, checkout, resubscribe } from './checkout.ts';
import { cancelPlanChange } from './plan-changes/write.ts';
import { cancelPlus } from './plus-orders/write.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-04-01T00:00:00Z');
const good = testCard('4242424242424242');
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

/** Somebody in a session whose last proof is three hours old. */
async function customer(): Promise<Actor> {
  const actor = build.actorFor(await build.user(database.sql));
  return { ...actor, proved: later(-3).toISOString() };
}
const order = async (actor: Actor, wish: object, now = start) => {
  await nodeWithRoom(database.sql, { rooms: 30, seen: now });
  return await checkout(till, actor, orderInput(wish), good, now);
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );

test('an order over the bound asks for a proof, and nothing is left of it without one', async () => {
  const actor = await customer();
  expect(await refusal(order(actor, { plan: 'small' }))).toBe('done');
  const dear = { plan: 'small', interval: 'yearly' };
  expect(await refusal(order(actor, dear))).toBe('proof_required');
  expect(await database.sql`select 1 from orders where user_id = ${actor.user_id}`).toHaveLength(1);
  expect(await refusal(order({ ...actor, proved: start.toISOString() }, dear))).toBe('done');
});

test.each(['USD', 'JPY', 'KWD'])('small orders of one day count together, in %s', async (currency) => {
  const actor = await customer();
  const wish = { plan: 'custom', ram_gb: 8, currency };
  expect(await refusal(order(actor, wish))).toBe('done');
  expect(await refusal(order(actor, wish, later(1)))).toBe('done');
  expect(await refusal(order(actor, wish, later(2)))).toBe('proof_required');
  // a day after the first one there is room for one again
  expect(await refusal(order(actor, wish, later(24.5)))).toBe('done');
});

test('renewing for a year asks for it as ordering does, and renewals by themselves do not', async () => {
  const { sql } = database;
  const actor = await customer();
  const { server_id } = await order(actor, { plan: 'custom', ram_gb: 16 });
  await sql`update subscriptions set state = 'grace', grace_until = ${later(200)} where server_id = ${server_id}`;
  const renew = (by: Actor) =>
    refusal(resubscribe(till, by, server_id, { interval: 'yearly', method: null }, later(30)));
  expect(await renew(actor)).toBe('proof_required');
  expect(await renew({ ...actor, proved: later(30).toISOString() })).toBe('done');
});

test('a token decides about money in its first ten minutes, an app never', async () => {
  const person = await customer();
  const { server_id } = await order(person, { plan: 'small' });
  const { proved: _, ...rest } = person;
  const app: Actor = { ...rest, scopes: new Set(unrestrictedScopes), interactive: false };
  const all = (by: Actor) => [
    () => checkout(till, by, orderInput({ plan: 'small' }), good, start),
    () =>
      changePlan(
        till,
        by,
        { server_id, plan: 'medium', interval: 'monthly', op_id: randomUUID() },
        null,
        start,
      ),
    () => database.sql.begin((tx) => cancelPlanChange(tx, by, server_id, start)),
    () => resubscribe(till, by, server_id, { interval: null, method: null }, start),
    () => database.sql.begin((tx) => cancelPlus(tx, by, start)),
    () => cancel(till, by, server_id, start),
  ];
  for (const by of [app, { ...app, token_made: later(-1).toISOString() }])
    for (const work of all(by)) expect(await refusal(work())).toBe('scope_missing');
  const fresh = { ...app, token_made: start.toISOString() };
  expect(await refusal(cancel(till, fresh, server_id, start))).toBe('done');
});
