import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { CardKind } from '#db/testing/stripe/account.ts';
import { type StripeSimulator, stripeKeys, stripeSimulator } from '#db/testing/stripe/simulator.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
let stripe: StripeSimulator;
const env: Record<string, string> = { ...stripeKeys };
beforeAll(async () => {
  stripe = await stripeSimulator();
  env.STRIPE_API_URL = stripe.address;
});
const api = testApi(database, env);
const demo = testApi(database);
beforeAll(async () => {
  await nodeWithRoom(database.sql);
});
afterAll(() => stripe.close());

async function cookieOf(): Promise<string> {
  const { id } = await build.user(database.sql);
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return `auth-token=${session}`;
}
async function send(path: string, json: object, cookie: string | null, on = api) {
  const headers = { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) };
  const answer = await on.call('POST', `/_internal/billing/${path}`, { json, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
}
async function order(kind: CardKind, cookie: string) {
  const begun = await send('method', {}, cookie);
  return await orderWith(stripe.account.enterCard(begun.body.client_secret!, kind), cookie);
}
async function orderWith(card: string, cookie: string) {
  const fields = {
    ...{ op_id: randomUUID(), plan: 'small', interval: 'monthly', region: 'central-europe', currency: 'EUR' },
    ...{ card, name: 'Valley', game_version: '1.16.5', terms: 'on' },
  };
  return await send('order', fields, cookie);
}

it('begins a card for people who are signed in, where cards are entered at Stripe', async () => {
  expect((await send('method', {}, null)).status).toBe(401);
  const cookie = await cookieOf();
  expect((await send('method', {}, cookie)).body.client_secret).toMatch(/^seti_/);
  expect((await send('method', {}, cookie, demo)).body).toMatchObject({ details: { code: 'payments_off' } });
  stripe.down = true;
  const gone = await send('method', {}, await cookieOf());
  stripe.down = false;
  expect([gone.status, gone.body]).toMatchObject([503, { details: { code: 'payments_unreachable' } }]);
});

it('leads a payment that waits to the page that confirms it, for its payer alone', async () => {
  const [cookie, other] = [await cookieOf(), await cookieOf()];
  const { body } = await order('asks', cookie);
  const { server_id, to } = body as unknown as { server_id: string; to: string };
  expect(to).toBe(`/servers/manage/${server_id}/options/billing`);
  const confirm = (who: string) => send('confirm', { server_id }, who);
  expect((await confirm(other)).body).toMatchObject({ client_secret: null, state: 'none' });
  const asked = await confirm(cookie);
  expect(asked.body).toMatchObject({ client_secret: expect.stringMatching(/^pi_/), state: 'waiting' });
  stripe.account.authenticate(asked.body.client_secret!, true);
  expect((await confirm(cookie)).body).toMatchObject({ client_secret: null, state: 'paid' });
  expect((await confirm(cookie)).body).toMatchObject({ state: 'none' });
});

it('leads a paid order to its server, and refuses a card that is declined', async () => {
  const cookie = await cookieOf();
  const paid = (await order('good', cookie)).body as unknown as { server_id: string; to: string };
  expect(paid.to).toBe(`/servers/manage/${paid.server_id}`);
  const refused = await order('declined', cookie);
  expect([refused.status, refused.body]).toMatchObject([400, { details: { code: 'payment_declined' } }]);
});

it('hears the webhooks of Stripe, by its signature', async () => {
  await order('good', await cookieOf());
  const event = stripe.account.events.findLast(({ type }) => type === 'payment_intent.succeeded')!;
  const call = async (key?: string) => {
    const { body, signature } = stripe.webhook(event, new Date(), key);
    const headers = { 'stripe-signature': signature };
    return await api.call('POST', '/_internal/billing/webhook/stripe', { body, headers });
  };
  expect((await call('whsec_forged')).status).toBe(401);
  stripe.down = true;
  expect((await call()).status).toBe(503);
  stripe.down = false;
  for (const heard of [true, false]) expect(await (await call()).json()).toEqual({ heard });
});

it('pays with a saved card, of its owner alone, and never in place of one that was not entered', async () => {
  const cookie = await cookieOf();
  await order('good', cookie);
  const [saved] = await database.sql`select id from payment_methods order by created desc limit 1`;
  const charges = () => stripe.account.intents.size;
  const before = charges();
  const paid = await orderWith(`saved-${saved!.id}`, cookie);
  expect([paid.status, paid.body.state]).toEqual([200, 'paid']);
  const plus = { op_id: randomUUID(), interval: 'monthly', currency: 'EUR', card: `saved-${saved!.id}` };
  expect((await send('plus', plus, cookie)).status).toBe(200);
  expect(charges()).toBe(before + 2);
  const refused = async (card: string, who: string) => {
    const { status, body } = await orderWith(card, who);
    return [status, (body as { details?: { code: string } }).details?.code];
  };
  expect(await refused(`saved-${saved!.id}`, await cookieOf())).toEqual([404, 'payment_method_not_found']);
  expect(await refused('another', cookie)).toEqual([400, 'card_required']);
  expect(charges()).toBe(before + 2);
  const [count] = await database.sql`
    select count(*)::int as all from payment_methods where user_id = (select user_id from payment_methods where id = ${saved!.id})`;
  expect(count!.all).toBe(1);
});
