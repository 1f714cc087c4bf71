import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout } from '#db/money/billing/checkout.ts';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom, orderInput, slowCard, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** Billing as programs read and change it: rights, amounts in minor units, refusals. Source: api-v3 §6. */
const database = testDatabase();
const api = testApi(database, { PAYMENTS: 'test', ADMIN_KEY: 'key-of-the-operator' });

async function person(role: 'developer' | 'moderator' | 'admin' = 'developer') {
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
    expect(body[0]).toMatchObject({ id: 'midas', metadata: { type: 'midas' }, unitary: true });
    const dollars = small.prices.find((one: { currency_code: string }) => one.currency_code === 'USD');
    expect(dollars.prices).toEqual({
      type: 'recurring',
      intervals: { monthly: 1200, quarterly: 3000, yearly: 12000 },
    });
  });

  test('shows people their own, and staff anybody’s', async () => {
    const [fen, other, admin] = [await person(), await person(), await person('admin')];
    const moderator = await person('moderator');
    for (const path of ['subscriptions', 'payments']) {
      expect(await call('GET', path, fen.headers)).toEqual({ status: 200, body: [] });
      expect((await call('GET', `${path}?user_id=${fen.id}`, other.headers)).status).toBe(401);
      expect((await call('GET', `${path}?user_id=${fen.id}`, admin.headers)).status).toBe(200);
      expect((await call('GET', `${path}?user_id=${fen.id}`, moderator.headers)).status).toBe(200);
      expect((await call('GET', path, {})).status).toBe(401);
    }
  });

  test('refuses what is for administrators and for the operator', async () => {
    const fen = await person();
    const refund = await call('POST', 'charge/AABBCCDD/refund', fen.headers, { type: 'full' });
    expect([refund.status, refund.body.details.code]).toEqual([401, 'admins_only']);
    const credit = await call('POST', 'credit', fen.headers, { region: 'x', days: 1 });
    expect([credit.status, credit.body.details.code]).toEqual([401, 'admins_only']);
    const moderator = await person('moderator');
    for (const step of ['take', 'cancel', 'void']) {
      const ended = await call('POST', 'subscription/AABBCCDD/end', moderator.headers, { step, reason: 'x' });
      expect([ended.status, ended.body.details.code]).toEqual([401, 'admins_only']);
    }
    expect((await call('GET', 'active_servers', fen.headers)).status).toBe(401);
    const key = { 'modrinth-admin': 'key-of-the-operator' };
    expect(await call('GET', 'active_servers', key)).toEqual({ status: 200, body: [] });
  });

  test('lists servers as paid for once their payment has come', async () => {
    const key = { 'modrinth-admin': 'key-of-the-operator' };
    const till = testBilling(database);
    const bought = async (card: typeof slowCard | null) => {
      const actor = build.actorFor(await build.user(database.sql));
      return (await checkout(till, actor, orderInput(), card, new Date())).server_id;
    };
    const [paid, waiting] = [await bought(null), await bought(slowCard)];
    const listed = async (status: string) => {
      const { body } = await call('GET', `active_servers?subscription_status=${status}`, key);
      const ids = body.map(({ server_id }: { server_id: string }) => server_id);
      return [paid, waiting].filter((id) => ids.includes(id));
    };
    expect(await listed('provisioned')).toEqual([paid]);
    expect(await listed('unprovisioned')).toEqual([waiting]);
  });

  test('refuses unknown charges and orders without a card', async () => {
    const admin = await person('admin');
    const refund = await call('POST', 'charge/AABBCCDD/refund', admin.headers, {
      type: 'partial',
      amount: 5,
      op_id: randomUUID(),
    });
    expect([refund.status, refund.body.details.code]).toEqual([404, 'charge_not_found']);
    const order = { type: 'payment_method', charge: { type: 'new', product_id: 'pyro-4096' } };
    const refused = await call('POST', 'payment', admin.headers, order);
    expect([refused.status, refused.body.details.code]).toEqual([400, 'card_required']);
    const patch = await call('PATCH', 'subscription/AABBCCDD', admin.headers, { cancelled: true });
    expect(patch.status).toBe(404);
  });

  describe('POST subscriptions/manager/update_many', () => {
    const key = { 'modrinth-admin': 'key-of-the-operator' };
    const path = 'subscriptions/manager/update_many';
    const ofServer = async () => {
      const { user_id, ...owner } = build.actorFor(await build.user(database.sql));
      const till = testBilling(database);
      const { server_id } = await checkout(till, { ...owner, user_id }, orderInput(), null, new Date());
      const [row] = await database.sql<Array<{ id: string }>>`
        select id from subscriptions where server_id = ${server_id}`;
      return { user_id, server_id, subscription_id: row!.id };
    };
    const update = (
      { user_id, server_id }: Awaited<ReturnType<typeof ofServer>>,
      update_region?: string,
    ) => ({
      target: { Pyro: { user_id, server_id } },
      ...(update_region && { update_region }),
    });
    const regionsOf = async (...ids: string[]) =>
      (
        await database.sql<Array<{ region: string }>>`
          select o.region from subscriptions u join orders o on o.id = u.order_id
          where u.id = any(${ids}) order by array_position(${ids}, u.id::text)`
      ).map(({ region }) => region);

    test('changes all of the named ones', async () => {
      const [one, two] = [await ofServer(), await ofServer()];
      const subscriptions = [update(one, 'southeast-asia'), update(two)];
      expect((await call('POST', path, key, { subscriptions })).status).toBe(200);
      const ids = [one.subscription_id, two.subscription_id];
      expect(await regionsOf(...ids)).toEqual(['southeast-asia', 'central-europe']);
      const [told] = await database.sql`
        select data from events where name = 'subscription.region_changed' and user_id = ${one.user_id}`;
      expect(told!.data).toEqual({ subscription_id: one.subscription_id, region: 'southeast-asia' });
    });

    test('changes none when one is unknown, unless that may be missing', async () => {
      const [one, two, ended] = [await ofServer(), await ofServer(), await ofServer()];
      await database.sql`update subscriptions set state = 'ended' where id = ${ended.subscription_id}`;
      const foreign = update({ ...two, user_id: one.user_id }, 'western-europe');
      for (const missing of [foreign, update(ended, 'western-europe')]) {
        const subscriptions = [update(one, 'southeast-asia'), missing];
        const refused = await call('POST', path, key, { subscriptions });
        expect([refused.status, refused.body.details.code]).toEqual([400, 'invalid_input']);
        expect(refused.body.description).toContain('subscriptions[1].target');
        expect(await regionsOf(one.subscription_id)).toEqual(['central-europe']);
        const ignored = [update(one, 'southeast-asia'), { ...missing, ignore_if_missing: true }];
        expect((await call('POST', path, key, { subscriptions: ignored })).status).toBe(200);
        expect(await regionsOf(one.subscription_id)).toEqual(['southeast-asia']);
        await call('POST', path, key, { subscriptions: [update(one, 'central-europe')] });
      }
      expect(await regionsOf(two.subscription_id)).toEqual(['central-europe']);
    });

    test('refuses unknown regions, the same twice, too many, none, and whoever has no key', async () => {
      const one = await ofServer();
      const twice = [update(one, 'western-europe'), update(one, 'southeast-asia')];
      const cases: Array<[object[], number, string]> = [
        [[update(one, 'the-moon')], 400, 'region_unknown'],
        [twice, 400, 'invalid_input'],
        [[], 400, 'invalid_input'],
        [Array.from({ length: 1_001 }, () => update(one, 'western-europe')), 400, 'invalid_input'],
      ];
      for (const [subscriptions, status, code] of cases) {
        const refused = await call('POST', path, key, { subscriptions });
        expect([refused.status, refused.body.details.code]).toEqual([status, code]);
      }
      const admin = await person('admin');
      const subscriptions = [update(one, 'western-europe')];
      expect((await call('POST', path, admin.headers, { subscriptions })).status).toBe(401);
      const wrong = { 'modrinth-admin': 'key-of-another' };
      expect((await call('POST', path, wrong, { subscriptions })).status).toBe(401);
      expect(await regionsOf(one.subscription_id)).toEqual(['central-europe']);
    });
  });
});
