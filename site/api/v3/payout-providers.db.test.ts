import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { type PaypalSimulator, paypalKeys, paypalSimulator } from '#db/testing/paypal/simulator.ts';
import {
  type TremendousSimulator,
  tremendousKeys,
  tremendousSimulator,
} from '#db/testing/tremendous/simulator.ts';
import { testApi } from '../../testing/api.ts';

/** How often the API asks providers for what it needs not: they are open as long as the process. */

const database = testDatabase();
let paypal: PaypalSimulator;
let tremendous: TremendousSimulator;
const { TREMENDOUS_CAMPAIGN_ID: _none, ...keys } = tremendousKeys;
const env: Record<string, string> = { PAYOUTS: 'paypal,tremendous', ...paypalKeys, ...keys };
beforeAll(async () => {
  [paypal, tremendous] = await Promise.all([paypalSimulator(), tremendousSimulator()]);
  Object.assign(env, { PAYPAL_API_URL: paypal.address, TREMENDOUS_API_URL: tremendous.address });
});
const api = testApi(database, env);
afterAll(async () => {
  await Promise.all([paypal.close(), tremendous.close()]);
});

const counted = (asked: string[]) =>
  Object.fromEntries(
    [...new Set(asked)].map((path) => [path, asked.filter((one) => one === path).length] as const),
  );

it('asks for a token, a catalogue and rates once for all who look at methods', async () => {
  const look = async () => await api.call('GET', '/v3/payout/methods?country=DE');
  const [first] = await Promise.all(Array.from({ length: 10 }, look));
  expect(await first!.json()).toHaveLength(5);
  for (let n = 0; n < 10; n += 1) expect((await look()).status).toBe(200);
  expect(counted(paypal.asked)).toEqual({ 'POST /v1/oauth2/token': 1 });
  expect(counted(tremendous.asked)).toEqual({ 'GET /api/v2/products': 1, 'GET /api/v2/forex': 1 });
});

it('fetches a certificate once for all webhooks, also forged ones', async () => {
  const event = { id: 'WH-1', event_type: 'PAYMENT.SALE.COMPLETED', resource: {} };
  const send = async (forged: boolean) => {
    const { headers, body } = paypal.webhook(event, new Date(), forged);
    const sent = { ...headers, 'content-type': 'application/json' };
    return (await api.call('POST', '/v3/payout/_paypal', { body, headers: sent })).status;
  };
  const forged = await Promise.all(Array.from({ length: 20 }, () => send(true)));
  expect(new Set(forged)).toEqual(new Set([401]));
  expect(await send(false)).toBe(204);
  expect(counted(paypal.asked)['GET /v1/notifications/certs/CERT-1']).toBe(1);
});
