import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../platform/id.ts';
import { faultyServer } from '../../../../testing/faulty-server.ts';
import { products } from '../../../../testing/tremendous/products.ts';
import {
  type TremendousSimulator,
  tremendousKeys,
  tremendousSimulator,
} from '../../../../testing/tremendous/simulator.ts';
import type { PayoutProvider, PayoutRecord, PayoutRequest } from '../../provider.ts';
import { tremendousPayouts } from './adapter.ts';
import { denominationOf } from './amounts.ts';

let tremendous: TremendousSimulator;
let provider: PayoutProvider;
const now = new Date();
const day = 86_400_000;
const nobody = { reference: null, state: 'in-transit', failure: null };

beforeAll(async () => {
  tremendous = await tremendousSimulator();
  provider = open();
});
afterAll(() => tremendous.close());
const sent = new Map<string, number>();
afterEach(() => {
  tremendous.down = false;
  const orders = [...tremendous.account.orders.values()];
  // the books of Tremendous have what was sent, each once
  expect(new Set(orders.map(({ external_id }) => external_id)).size).toBe(orders.length);
  for (const { external_id, payment } of orders)
    expect(Math.abs(payment.subtotal * 100 - sent.get(external_id!)!)).toBeLessThanOrEqual(2);
  const kept = orders.filter(({ status }) => status !== 'CANCELED');
  const sum = kept.reduce((all, { payment }) => all + Math.round(payment.subtotal * 100), 0);
  expect(1_000_000_00 - tremendous.account.balance).toBe(sum);
});

const open = (settings: Partial<Parameters<typeof tremendousPayouts>[0]> = {}) =>
  tremendousPayouts(
    { ...tremendousKeys, TREMENDOUS_API_URL: tremendous.address, ...settings },
    { timeout: 1_500 },
  );
function ask(address = 'good@example.org', given: Partial<PayoutRequest> = {}): PayoutRequest {
  const receiver = { user_id: newId(), name: 'Ada', country: 'DE', address };
  const made = {
    key: newId(),
    method_id: 'CARD',
    receiver,
    amount_minor: 1234,
    currency: null,
    now,
    ...given,
  };
  sent.set(made.key, made.amount_minor);
  return made;
}
const retrieve = async (key: string, reference: string | null = null) =>
  await provider.retrieve({ key, reference });
const rewardOf = (key: string) => tremendous.account.find(key)!.rewards[0]!;

it('offers the products of a country, in dollars', async () => {
  const methods = await provider.methods('DE');
  expect(methods.map(({ id, category, currency, interval }) => [id, category, currency, interval])).toEqual([
    ['HELP', 'charity', null, { min_minor: 1, max_minor: 500_000 }],
    ['KINO', 'gift_card', 'EUR', { values_minor: [1111, 2778, 5556] }],
    ['CARD', 'prepaid', null, { min_minor: 1, max_minor: 500_000 }],
    ['SHOP_EU', 'gift_card', 'EUR', { min_minor: 556, max_minor: 22_277 }],
  ]);
  const [aid] = methods;
  expect(aid).toMatchObject({ image_url: 'https://tremendous.example/card.png', exchange_rate: null });
  expect((await provider.methods('US')).map(({ id }) => id)).toEqual(['HELP', 'BOOKS_US', 'CARD']);
});

it('offers nothing with a wrong key or while Tremendous is gone, and sends nothing', async () => {
  const wrong = open({ TREMENDOUS_API_KEY: 'other' });
  await expect(wrong.methods('DE')).rejects.toMatchObject({ code: 'payouts_unreachable' });
  expect(await wrong.send(ask())).toEqual(nobody);
  tremendous.down = true;
  const refused: { code?: string; cause?: unknown } = await provider.methods('DE').catch((error) => error);
  expect(refused.code).toBe('payouts_unreachable');
  // the key of the API must not reach the log
  expect(JSON.stringify([refused, String(refused.cause)])).not.toContain(tremendousKeys.TREMENDOUS_API_KEY);
  expect(tremendous.account.orders.size).toBe(0);
});

it('knows the test flight from the live account', () => {
  expect(open({ TREMENDOUS_API_URL: 'https://testflight.tremendous.com/api/v2' })).toMatchObject({
    test: true,
    name: 'tremendous_test',
  });
  expect(open({ TREMENDOUS_API_URL: undefined }).test).toBe(false);
});

it('pays the same key once, one after the other and at the same time', async () => {
  const asked = ask();
  const all = await Promise.all([1, 2, 3].map(() => provider.send(asked)));
  expect(new Set(all.map(({ reference }) => reference)).size).toBe(1);
  expect(await provider.send(asked)).toMatchObject({ reference: all[0]!.reference, state: 'success' });
  expect(await retrieve(asked.key)).toMatchObject({ state: 'success', reference: all[0]!.reference });
  expect(rewardOf(asked.key).value).toEqual({ denomination: 12.34, currency_code: 'USD' });
});

it.each(['500_after', 'hang_after', 'garbage'] as const)(
  'finds at once what was ordered: %s',
  async (fault) => {
    tremendous.faults.push(fault);
    const asked = ask();
    const { reference } = await provider.send(asked);
    expect(reference).toBe(tremendous.account.find(asked.key)!.id);
  },
);

it.each(['500_before', 'hang', 'vanish'] as const)(
  'says that nobody knows, and pays once later: %s',
  async (fault) => {
    tremendous.faults.push(fault);
    const asked = ask();
    expect(await provider.send(asked)).toEqual(nobody);
    tremendous.down = false;
    expect(await retrieve(asked.key)).toMatchObject({ state: fault === 'vanish' ? 'success' : 'in-transit' });
    expect((await provider.send(asked)).reference).not.toBeNull();
  },
);

it('lets no failure of its HTTP client out, which has the API key', async () => {
  const broken = await faultyServer(
    () => false,
    ({ method, path }) => {
      if (path === '/forex') return { status: 200, body: { forex: { USD: 1 } } };
      if (path.startsWith('/products/'))
        return { status: 200, body: { product: products.find(({ id }) => id === 'CARD')! } };
      // the key is taken back between the order and the look-up
      return method === 'POST' ? { status: 500, body: {} } : { status: 401, body: {} };
    },
  );
  const by = open({ TREMENDOUS_API_URL: broken.address });
  const asked = ask();
  expect(await by.send(asked)).toEqual(nobody);
  expect(broken.asked).toContain('POST /orders');
  const { key, amount_minor } = asked;
  sent.delete(key);
  const at = { key, reference: 'R', amount_minor };
  const range = { from: now, until: new Date(now.getTime() + day) };
  for (const call of [
    by.retrieve(at),
    by.cancel!(at),
    by.methods('DE'),
    by.list(range)[Symbol.asyncIterator]().next(),
  ]) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'payouts_unreachable' });
    expect(inspect(error, { depth: 9 })).not.toContain(tremendousKeys.TREMENDOUS_API_KEY);
  }
  await broken.close();
});

it('finds its order although the rate is another one', async () => {
  tremendous.faults.push('vanish');
  const asked = ask(undefined, { method_id: 'SHOP_EU' });
  expect(await provider.send(asked)).toEqual(nobody);
  tremendous.down = false;
  tremendous.account.rates.EUR = 0.95;
  expect(await provider.send(asked)).toMatchObject({ state: 'success' });
  tremendous.account.rates.EUR = 0.9;
  expect(rewardOf(asked.key).value).toEqual({ denomination: 11.1, currency_code: 'EUR' });
});

it.each([
  ['KINO', 'DE', [10, 25, 50]],
  ['BAZAAR', 'IN', [500, 1000]],
])('orders the fixed amounts of %s exactly', async (method_id, country, amounts) => {
  const found = (await provider.methods(country)).find(({ id }) => id === method_id)!;
  const { values_minor } = found.interval as { values_minor: number[] };
  for (const [at, amount_minor] of values_minor.entries()) {
    const asked = ask(undefined, { method_id, amount_minor });
    await provider.send(asked);
    expect(rewardOf(asked.key).value.denomination).toBe(amounts[at]);
  }
  expect(await provider.send(ask(undefined, { method_id, amount_minor: 333 }))).toMatchObject({
    state: 'failed',
  });
});

it('rounds down, to whole units where a currency has no others', () => {
  expect(denominationOf({ skus: [] }, 1234, 'EUR', 0.9)).toBe(11.1);
  expect(denominationOf({ skus: [] }, 110, 'EUR', 1)).toBe(1.1);
  expect(denominationOf({ skus: [] }, 1234, 'JPY', 150)).toBe(1851);
  expect(denominationOf({ skus: [] }, 1, 'JPY', 0.5)).toBeNull();
  expect(denominationOf({ skus: [{ min: 5, max: 20 }] }, 3000, 'EUR', 1)).toBeNull();
});

it('says why it failed: funds, an address, a product that is gone, an amount', async () => {
  expect(await provider.send(ask(undefined, { amount_minor: 1_000_000_01 }))).toMatchObject({
    failure: 'funds',
  });
  expect(await provider.send(ask('no address'))).toMatchObject({
    state: 'failed',
    failure: 'receiver_unknown',
  });
  expect(await provider.send(ask(undefined, { method_id: 'GONE' }))).toMatchObject({ state: 'failed' });
  for (const amount_minor of [0, -1, 0.5, Number.NaN])
    expect(await provider.send(ask(undefined, { amount_minor }))).toMatchObject({ state: 'failed' });
});

it('takes back what bounced before it says that it failed', async () => {
  const asked = ask('bounces@example.org');
  const { reference } = await provider.send(asked);
  expect(await retrieve(asked.key, reference)).toMatchObject({
    state: 'failed',
    failure: 'receiver_unknown',
  });
  expect(tremendous.account.find(asked.key)!.status).toBe('CANCELED');
});

it('waits for an approval, and cancels what is not delivered, and nothing else', async () => {
  tremendous.account.approvals = true;
  const held = ask();
  expect(await provider.send(held)).toMatchObject({ state: 'in-transit' });
  tremendous.account.approvals = false;
  expect(await retrieve(held.key)).toMatchObject({ state: 'in-transit' });
  const slow = ask('slow@example.org');
  const { reference } = await provider.send(slow);
  expect(await provider.cancel!({ key: slow.key, reference })).toEqual({
    reference,
    state: 'cancelled',
    failure: null,
  });
  const paid = ask();
  await provider.send(paid);
  expect(await provider.cancel!({ key: paid.key, reference: null })).toMatchObject({ state: 'success' });
  expect(await provider.cancel!({ key: 'nothing', reference: null })).toEqual(nobody);
});

it('says that a payout is gone when Tremendous knows nothing of an order that it took', async () => {
  const gone = { reference: null, state: 'gone', failure: null };
  const key = newId();
  expect(await retrieve(key, 'OGONE')).toEqual(gone);
  expect(await provider.cancel!({ key, reference: 'OGONE' })).toEqual(gone);
  // one that was never ordered is not gone
  expect(await retrieve(key)).toEqual(nobody);
  tremendous.down = true;
  await expect(retrieve(key, 'OGONE')).rejects.toMatchObject({ code: 'payouts_unreachable' });
});

it('hears webhooks, twice and in the wrong order, and tells what is true now', async () => {
  const asked = ask('slow@example.org');
  const { reference } = await provider.send(asked);
  await provider.cancel!({ key: asked.key, reference });
  const canceled = tremendous.account.events.at(-1)!;
  const delivered = { ...canceled, uuid: 'LATE', event: 'REWARDS.DELIVERY.SUCCEEDED' };
  const created = {
    uuid: 'O',
    event: 'ORDERS.CREATED',
    payload: { resource: { id: reference!, type: 'orders' } },
  };
  for (const event of [delivered, canceled, canceled, created]) {
    const { headers, body } = tremendous.webhook(event, now);
    expect(await provider.verify!(headers, body, now)).toMatchObject({
      ...{ id: event.uuid, key: asked.key, outcome: { state: 'cancelled', reference } },
    });
  }
  const other = { uuid: 'P', event: 'PRODUCTS.ADDED', payload: { resource: { id: 'X', type: 'products' } } };
  const { headers, body } = tremendous.webhook(other, now);
  expect(await provider.verify!(headers, body, now)).toEqual({ id: 'P', key: null, outcome: null });
});

it('cancels nothing because of a webhook, and hears nothing of other programs', async () => {
  const asked = ask('slow@example.org');
  await provider.send(asked);
  tremendous.account.deliver(asked.key, 'FAILED');
  const order = tremendous.account.find(asked.key)!;
  const { headers, body } = tremendous.webhook(tremendous.account.events.at(-1)!, now);
  const hear = async () => await provider.verify!(headers, body, now);
  expect(await hear()).toMatchObject({ key: asked.key, outcome: { state: 'in-transit' } });
  order.external_id = 'Survey 2026-11 #7';
  expect(await hear()).toMatchObject({ key: null, outcome: null });
  expect(order.status).toBe('EXECUTED');
  order.external_id = asked.key;
  expect(await retrieve(asked.key)).toMatchObject({ state: 'failed', failure: 'receiver_unknown' });
});

it('refuses webhooks that are forged, changed, unsigned or too old', async () => {
  const asked = ask();
  await provider.send(asked);
  const event = tremendous.account.events.at(-1)!;
  const { headers, body } = tremendous.webhook(event, now);
  const forged = { code: 'webhook_signature' };
  const hear = async (given: Record<string, string>, text = body, at = now, by = provider) =>
    await by.verify!(given, text, at);
  await expect(hear(tremendous.webhook(event, now, 'other').headers)).rejects.toMatchObject(forged);
  await expect(hear(headers, `${body} `)).rejects.toMatchObject(forged);
  await expect(hear({})).rejects.toMatchObject(forged);
  await expect(hear({ 'tremendous-webhook-signature': 'sha256=' })).rejects.toMatchObject(forged);
  const keyless = open({ TREMENDOUS_WEBHOOK_KEY: '' });
  await expect(hear(tremendous.webhook(event, now, '').headers, body, now, keyless)).rejects.toMatchObject(
    forged,
  );
  await expect(hear(headers, body, new Date(now.getTime() + 8 * day))).rejects.toMatchObject({
    code: 'webhook_stale',
  });
});

it('lists orders over pages, each once, with what was ordered', async () => {
  while (tremendous.account.orders.size < 120) await provider.send(ask());
  const listed: PayoutRecord[] = [];
  const range = { from: new Date(now.getTime() - day), until: new Date(Date.now() + 1000) };
  for await (const one of provider.list(range)) listed.push(one);
  expect(listed).toHaveLength(120);
  const orders = [...tremendous.account.orders.values()];
  expect(new Set(listed.map(({ key }) => key))).toEqual(
    new Set(orders.map(({ external_id }) => external_id)),
  );
  expect(listed.every(({ key }) => key !== null)).toBe(true);
  const total = listed.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  expect(total).toBe(orders.reduce((sum, { payment }) => sum + Math.round(payment.subtotal * 100), 0));
});

it('lists orders of the operator’s other programs without a key', async () => {
  await provider.send(ask());
  const [order] = [...tremendous.account.orders.values()].slice(-1);
  const { external_id } = order!;
  const keys = async () => {
    const found: Array<string | null> = [];
    const range = { from: new Date(now.getTime() - day), until: new Date(Date.now() + 1000) };
    for await (const { key, reference } of provider.list(range)) if (reference === order!.id) found.push(key);
    return found;
  };
  for (const other of ['Survey 2026-11 #7', null]) {
    order!.external_id = other;
    expect(await keys()).toEqual([null]);
  }
  order!.external_id = external_id;
  expect(await keys()).toEqual([external_id]);
});
