import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { checkout } from '#db/money/billing/checkout.ts';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** The form by which administrators give money back: what is typed, in the currency of the payment. */
const database = testDatabase();
const api = testApi(database, { PAYMENTS: 'test' });
let cookie: string;
beforeAll(async () => {
  const { sql } = database;
  await nodeWithRoom(sql);
  const { id } = await build.user(sql, { role: 'admin' });
  const { session } = await openSession(sql, { user_id: id, user_agent: null, now: new Date() });
  cookie = `auth-token=${session}`;
});

async function paid(currency: string) {
  const { sql } = database;
  const actor = build.actorFor(await build.user(sql));
  await checkout(testBilling(database), actor, orderInput({ currency }), null, new Date());
  const [charge] = await sql<Array<{ id: string; subscription_id: string }>>`
    select id, subscription_id from charges where user_id = ${actor.user_id}`;
  const give = async (given: Record<string, string>) => {
    const fields = { user: actor.user_id, charge: charge!.id, op_id: randomUUID(), seen: '0', currency };
    const answer = await api.call('POST', '/_internal/staff/refund', {
      body: String(new URLSearchParams({ ...fields, reason: 'It lagged', sure: 'on', ...given })),
      headers: {
        ...{ 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
        cookie,
      },
    });
    return answer.headers.get('location');
  };
  const after = async () => {
    const [row] = await sql<Array<{ state: string; given: number[] }>>`
      select u.state, array(select amount_minor::int from refunds where charge_id = ${charge!.id} order by 1) as given
      from subscriptions u where u.id = ${charge!.subscription_id}`;
    return row;
  };
  return { give, after, page: `/admin/billing/${actor.user_id}` };
}

test.each([
  ['USD', '5', 500],
  ['USD', '0,5', 50],
  ['USD', ' ٠٫٥ ', 50],
  ['JPY', '1840', 1840],
  ['KWD', '3.68', 3680],
  ['KWD', '0.01', 10],
])('in %s, %s is %i minor units', async (currency, amount, minor) => {
  const { give, after, page } = await paid(currency);
  expect(await give({ amount })).toBe(`${page}?done=refunded`);
  expect(await after()).toEqual({ state: 'active', given: [minor] });
});

test.each([
  ['JPY', '18.4'],
  ['USD', '1.005'],
  ['KWD', '0.001'],
  ['USD', '-5'],
  ['USD', '1e2'],
  ['USD', '0'],
  ['USD', ''],
  ['USD', '12.01'],
  ['USD', '999999999999'],
])('in %s, %s gives nothing back', async (currency, amount) => {
  const { give, after, page } = await paid(currency);
  const led = await give({ amount });
  expect(led).toContain(page);
  expect(led).not.toContain('done=');
  expect(await after()).toEqual({ state: 'active', given: [] });
});

test('takes the service with the money, and with nothing', async () => {
  const both = await paid('USD');
  await both.give({ amount: '12', takes_service: 'on' });
  expect(await both.after()).toEqual({ state: 'ended', given: [1200] });
  const service = await paid('USD');
  expect(await service.give({ amount: '0', takes_service: 'on' })).toBe(`${service.page}?done=saved`);
  expect(await service.after()).toEqual({ state: 'ended', given: [] });
});
