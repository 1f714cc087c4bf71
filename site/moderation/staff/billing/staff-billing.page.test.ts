import { beforeAll, expect, test } from 'vitest';
import { checkout } from '#db/money/billing/checkout.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send, unfold } from '../../../testing/fill.ts';
import type { Page } from '../../../testing/page.ts';
import { testSite } from '../../../testing/test-site.ts';

const database = testDatabase();
const site = testSite(database, { PAYMENTS: 'test' });
beforeAll(async () => {
  await nodeWithRoom(database.sql);
});

/** Somebody who paid for a server, and an administrator who looks at it. */
async function paid() {
  const buyer = await build.user(database.sql);
  const order = orderInput({ name: 'Fern' });
  await checkout(testBilling(database), build.actorFor(buyer), order, null, new Date());
  const admin = await build.user(database.sql, { role: 'admin' });
  return { buyer, desk: await site.as(admin.username), path: `/admin/billing/${buyer.username}` };
}
const sure = { 'I’ve checked the amount. A refund can’t be undone.': true };
const charge = (page: Page): Element => page.main.querySelector('[data-charge]')!;
const subscription = (page: Page): Element => page.main.querySelector('[data-subscription]')!;
const service = (page: Page): Element => page.main.querySelector('[data-service]')!;

test('staff give a part back, and then the rest with the server, which the ledger names', async () => {
  const { buyer, desk, path } = await paid();
  const giveBack = (page: Page, values: Record<string, string | boolean>) => {
    unfold(page, 'Refund');
    return send(page, 'Refund', { Reason: 'It lagged', ...values }, { within: charge(page) });
  };
  let page = await giveBack(await desk.open(path), { 'Amount in USD': '20', ...sure });
  expect(page.text(charge(page))).toContain('That’s more than is left of this payment.');
  page = await giveBack(page, { 'Amount in USD': '5', ...sure });
  expect(page.text(charge(page))).toContain('Net $7.00');
  page = await giveBack(page, { 'Also end the service': true, ...sure });
  expect(page.text(page.main)).toContain('Refund started');
  expect(page.text(charge(page))).toContain('$7.00 refunded');
  expect(page.text(subscription(page))).toContain('Ended');
  page = await page.follow(page.one('link', { name: `See the ledger of \u2068${buyer.username}\u2069` }));
  expect(page.text(page.main.querySelector('[data-transactions]')!)).toMatch(
    /\$7\.00 for .*Fern.* was refunded to /,
  );
});

test('staff give days and write notes; moderators only read them, and others nothing', async () => {
  const { buyer, desk, path } = await paid();
  let page = await desk.open(path);
  const credits = () => page.one('region', { name: 'Subscriptions' });
  unfold(page, 'Give free days');
  page = await send(page, 'Give free days', { Days: '5' }, { within: credits() });
  expect(page.text(credits())).toContain('Give a reason');
  const form = credits().querySelector('form')!;
  page = await send(page, 'Give free days', { Days: '5', Reason: 'Was down' }, { within: form });
  expect(page.text(page.main)).toContain('Days added');
  expect(page.text(subscription(page))).toContain('5 free days');
  page = await send(page, 'Add note', { 'New note': 'Called twice' });
  expect(page.text(page.main.querySelector('[data-notes]')!)).toContain('Called twice');

  const reader = await site.as((await build.user(database.sql, { role: 'moderator' })).username);
  page = await reader.open(path);
  expect(page.text(charge(page))).toContain('Net $12.00');
  expect(page.text(page.main.querySelector('[data-notes]')!)).toContain('Called twice');
  expect(page.all('button', { within: page.main })).toEqual([]);
  expect((await reader.open('/admin/billing')).status).toBe(404);
  expect((await (await site.as(buyer.username)).open(path)).status).toBe(404);
});

test('the report names what came in by month, and has months without anything', async () => {
  const { desk } = await paid();
  let page = await desk.open('/admin/billing?month=0000-01');
  expect(page.status).toBe(200);
  page = await page.follow(page.one('link', { name: 'Monthly report' }));
  const row = () => page.all('row').filter((one) => page.text(one).includes('Server sales'));
  expect(page.text(row()[0]!)).toContain('$');
  page = await page.follow(page.one('link', { name: 'Earlier months' }));
  expect(page.text()).toContain('No transactions.');
  page = await page.follow(page.one('link', { name: 'Later months' }));
  expect(page.text(row()[0]!)).toContain('$');
});

test('staff cancel a service with its period and take it, whose money is gone already', async () => {
  const { buyer, desk, path } = await paid();
  let page = await desk.open(path);
  page.one('heading', { name: `Payments by \u2068${buyer.username}\u2069`, level: 1 });

  unfold(page, 'Refund');
  page = await send(page, 'Refund', { Reason: 'It lagged' }, { within: charge(page) });
  expect(page.text(charge(page))).toContain('Check the box first.');
  page = await send(page, 'Refund', { Reason: 'It lagged', ...sure }, { within: charge(page) });
  expect(page.text(page.main)).toContain('Refund started');

  for (const [how, state] of [
    ['Cancel at the end of the period', 'Canceled, runs until'],
    ['End the service now', 'Ended'],
  ] as const) {
    unfold(page, 'End \u2068Fern\u2069');
    page = await send(page, 'Confirm', { [how]: true, Reason: '' }, { within: service(page) });
    expect(page.text(service(page))).toContain('Check the box first.');
    const typed = {
      [how]: true,
      Reason: 'Resold it',
      'I’ve checked the subscription. Ending a service can’t be undone.': true,
    };
    page = await send(page, 'Confirm', typed, { within: service(page) });
    expect(page.text(page.main)).toContain('Saved');
    expect(page.text(subscription(page))).toContain(state);
  }
  expect(page.main.querySelectorAll('[data-service]')).toHaveLength(0);
});
