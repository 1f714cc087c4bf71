import { beforeAll, expect, test } from 'vitest';
import { checkout } from '#db/money/billing/checkout.ts';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** What bookkeeping takes away: the ledger as CSV, for administrators only, and one’s own invoices as PDF. */
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
    /^\d{4}-.*Z,\w+,"willow paid \$12\.00 for =Amber ""Fort""",processor:test,Received through the test service,USD,12\.00,,willow,\w+$/,
  );
  const sold = lines.find((line) => line.includes(',income:servers,'));
  expect(sold).toContain(',Server sales,USD,,12.00,willow,');
  const month = new Date().toISOString().slice(0, 7);
  const named = await ledger('admin', `?month=${month}&user=nobody-at-all`);
  expect(named.headers.get('content-disposition')).toContain(`ledger-${month}.csv`);
  expect((await named.text()).trimEnd()).toBe(head);
});

test('others are told that there is none', async () => {
  expect((await ledger('moderator')).status).toBe(404);
  expect((await ledger(null)).status).toBe(401);
});

test('all invoices of a year are one PDF with a page for each, for whoever paid', async () => {
  const buyer = await build.user(database.sql);
  const till = testBilling(database);
  const bought = (day: string) =>
    checkout(till, build.actorFor(buyer), orderInput(), null, new Date(`${day}T12:00:00Z`));
  for (const day of ['2024-12-31', '2025-01-01', '2025-12-31']) await bought(day);
  const sessionOf = async (user_id: string) => {
    const { session } = await openSession(database.sql, { user_id, user_agent: null, now: new Date() });
    return { cookie: `auth-token=${session}` };
  };
  const own = await sessionOf(buyer.id);
  const invoices = (query: string, headers: Record<string, string> = own) =>
    api.call('GET', `/_internal/billing/invoices.pdf?${query}`, { headers });
  for (const [year, count] of [
    [2024, 1],
    [2025, 2],
  ] as const) {
    const answer = await invoices(`year=${year}`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="invoices-${year}.pdf"`);
    const pdf = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(count);
  }
  for (const query of ['year=2023', 'year=2025&part=2']) expect((await invoices(query)).status).toBe(404);
  for (const query of ['', 'year=x', 'year=2025.5', 'year=2025&part=0'])
    expect((await invoices(query)).status).toBe(400);
  const stranger = await sessionOf((await build.user(database.sql, { role: 'admin' })).id);
  expect((await invoices('year=2025', stranger)).status).toBe(404);
  expect((await invoices('year=2025', {})).status).toBe(401);
});
