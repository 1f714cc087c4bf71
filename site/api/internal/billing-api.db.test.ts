import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '#db/people/session.ts';
import { nodeWithRoom } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** Billing as programs read and change it: rights, amounts in minor units, refusals. Source: api-v3 §6. */
const database = testDatabase();
const api = testApi(database, { PAYMENTS: 'test', ADMIN_KEY: 'key-of-the-operator' });

async function person(role: 'developer' | 'admin' = 'developer') {
  const { id } = await build.user(database.sql, { role, email_verified: true });
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return { id, headers: { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` } };
}
const call = async (method: string, path: string, headers: Record<string, string>, json?: unknown) => {
  const answer = await api.call(method, `/_internal/billing/${path}`, {
    headers,
    ...(json !== undefined && { json }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
};
beforeAll(() => nodeWithRoom(database.sql, { rooms: 100 }));

describe('billing for programs', () => {
  test('lists what is sold in minor units, for everybody', async () => {
    const { status, body } = await call('GET', 'products', {});
    expect(status).toBe(200);
    const small = body.find(({ id }: { id: string }) => id === 'pyro-4096');
    expect(small.metadata).toEqual({ type: 'pyro', cpu: 2, ram: 4096, swap: 512, storage: 32768 });
    const dollars = small.prices.find((one: { currency_code: string }) => one.currency_code === 'USD');
    expect(dollars.prices).toEqual({
      type: 'recurring',
      intervals: { monthly: 1200, quarterly: 3000, yearly: 12000 },
    });
  });

  test('shows people their own, and administrators anybody’s', async () => {
    const [fen, other, admin] = [await person(), await person(), await person('admin')];
    for (const path of ['subscriptions', 'payments']) {
      expect(await call('GET', path, fen.headers)).toEqual({ status: 200, body: [] });
      expect((await call('GET', `${path}?user_id=${fen.id}`, other.headers)).status).toBe(401);
      expect((await call('GET', `${path}?user_id=${fen.id}`, admin.headers)).status).toBe(200);
      expect((await call('GET', path, {})).status).toBe(401);
    }
  });

  test('refuses what is for administrators and for the operator', async () => {
    const fen = await person();
    const refund = await call('POST', 'charge/AABBCCDD/refund', fen.headers, { type: 'full' });
    expect([refund.status, refund.body.details.code]).toEqual([401, 'admins_only']);
    const credit = await call('POST', 'credit', fen.headers, { region: 'x', days: 1 });
    expect([credit.status, credit.body.details.code]).toEqual([401, 'admins_only']);
    expect((await call('GET', 'active_servers', fen.headers)).status).toBe(401);
    const key = { 'modrinth-admin': 'key-of-the-operator' };
    expect(await call('GET', 'active_servers', key)).toEqual({ status: 200, body: [] });
  });

  test('refuses unknown charges and orders without a card', async () => {
    const admin = await person('admin');
    const refund = await call('POST', 'charge/AABBCCDD/refund', admin.headers, {
      type: 'partial',
      amount: 5,
    });
    expect([refund.status, refund.body.details.code]).toEqual([404, 'charge_not_found']);
    const order = { type: 'payment_method', charge: { type: 'new', product_id: 'pyro-4096' } };
    const refused = await call('POST', 'payment', admin.headers, order);
    expect([refused.status, refused.body.details.code]).toEqual([400, 'card_required']);
    const patch = await call('PATCH', 'subscription/AABBCCDD', admin.headers, { cancelled: true });
    expect(patch.status).toBe(404);
  });
});
