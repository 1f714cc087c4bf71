import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { payoutsOf } from '#db/money/payouts/read.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { earn } from '#db/testing/payouts.ts';
import { testApi } from '../../testing/api.ts';

/** The form by which creators withdraw: the amount as people type it, by the rule of the page's script. */
const database = testDatabase();
const api = testApi(database);
const now = new Date();
let person: build.BuiltUser;
let cookie: string;
beforeAll(async () => {
  const { sql } = database;
  person = await build.user(sql);
  await earn(sql, person.id, 50_000, now);
  const { session } = await openSession(sql, { user_id: person.id, user_agent: null, now });
  cookie = `auth-token=${session}`;
});

async function withdraw(amount: string): Promise<string | null> {
  const fields = {
    ...{ op_id: randomUUID(), country: 'DE', type: 'paypal', method_id: 'paypal', amount },
    ...{ address: 'ada@example.org', agree_fee: 'on', agree_transfer: 'on', agree_terms: 'on' },
  };
  const answer = await api.call('POST', '/_internal/payouts/withdraw', {
    body: String(new URLSearchParams(fields)),
    headers: {
      ...{ 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      cookie,
    },
  });
  return answer.headers.get('location');
}
const amounts = async () =>
  (await payoutsOf(database.sql, person.id)).map(({ amount_minor }) => amount_minor);

test.each(['12.50', '12,50', ' 12.50 ', '12,5', '١٢٫٥٠'])('takes %j', async (amount) => {
  const before = (await amounts()).length;
  expect(await withdraw(amount)).toBe('/dashboard/revenue/transfers?sent=success');
  expect(await amounts()).toEqual(Array(before + 1).fill(1_250));
});

test.each(['', '-5', '1,250', '12.505', '1e2', '0'])('takes nothing for %j', async (amount) => {
  const before = await amounts();
  expect(await withdraw(amount)).toMatch(/^\/dashboard\/revenue\/withdraw\?.*error=/);
  expect(await amounts()).toEqual(before);
});

test('says at every box that it needs to be checked', async () => {
  const json = {
    op_id: randomUUID(),
    country: 'DE',
    type: 'paypal',
    method_id: 'paypal',
    amount: '12.50',
    address: 'a@b.example',
  };
  const answer = await api.call('POST', '/_internal/payouts/withdraw', {
    body: JSON.stringify(json),
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie },
  });
  const { details } = (await answer.json()) as { details: { fields: Array<{ field: string }> } };
  expect(details.fields.map(({ field }) => field)).toEqual(['agree_fee', 'agree_transfer', 'agree_terms']);
});
