import { beforeAll, expect, test } from 'vitest';
import { checkout } from '#db/billing/checkout.ts';
import { openSession } from '#db/people/session.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** The ledger as CSV: what bookkeeping takes into a table, for administrators only. */
const database = testDatabase();
const api = testApi(database, { PAYMENTS: 'test' });
beforeAll(async () => {
  await nodeWithRoom(database.sql);
});

async function ledger(role: 'admin' | 'moderator' | null, query = '') {
  const headers: Record<string, string> = {};
  if (role) {
    const { id } = await build.user(database.sql, { role });
    const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
    headers.cookie = `auth-token=${session}`;
  }
  return await api.call('GET', `/_internal/billing/ledger.csv${query}`, { headers });
}

test('administrators get every entry with its sentence, its account and its side', async () => {
  const buyer = await build.user(database.sql, { username: 'willow' });
  const order = orderInput({ name: '=Amber "Fort"' });
  await checkout(testBilling(database), build.actorFor(buyer), order, null, new Date());
  const answer = await ledger('admin', '?user=willow');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"');
  const [head, ...lines] = (await answer.text()).trimEnd().split('\r\n');
  expect(head).toBe(
    'Time,Transaction,What happened,Account,Name of the account,Currency,Debit,Credit,Person,Charge',
  );
  expect(lines).toHaveLength(4);
  expect(lines.find((line) => line.includes(',processor:test,'))).toMatch(
    /^\d{4}-.*Z,\w+,"willow paid \$12\.00 for =Amber ""Fort""",processor:test,Received by the test service,USD,12\.00,,willow,\w+$/,
  );
  const sold = lines.find((line) => line.includes(',income:servers,'));
  expect(sold).toContain(',Servers sold,USD,,12.00,willow,');
  const month = new Date().toISOString().slice(0, 7);
  const named = await ledger('admin', `?month=${month}&user=nobody-at-all`);
  expect(named.headers.get('content-disposition')).toContain(`ledger-${month}.csv`);
  expect((await named.text()).trimEnd()).toBe(head);
});

test('others are told that there is none', async () => {
  expect((await ledger('moderator')).status).toBe(404);
  expect((await ledger(null)).status).toBe(401);
});
