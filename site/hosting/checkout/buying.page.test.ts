import { expect, test } from 'vitest';
import { checkout } from '#db/money/billing/checkout.ts';
import { nodeWithRoom, orderInput, paidServer, testBilling, testCard } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';

/** Buying without a machine and with one, and how a subscription ends and goes on again, without scripts. */
const database = testDatabase();
const site = testSite(database, { PAYMENTS: 'test' });
const as = async (role: 'developer' | 'admin' = 'developer') =>
  await site.as((await build.user(database.sql, { role })).username);
const plans = (page: Page): Element[] =>
  page.all('radio').filter((one) => one.getAttribute('name') === 'plan');
/** The question of the dialog, as a browser without scripts has it. */
const cancel = (page: Page, button: string, answer: Record<string, string> = {}): Promise<Page> =>
  send(page, button, answer, { within: page.main.querySelector('noscript form')! });

test('without a machine the page says so once, with what to do, and nothing can be chosen', async () => {
  const visitor = await site.open('/servers');
  expect(visitor.text(visitor.main)).toContain('This site has no servers to rent yet');
  expect(visitor.text(visitor.main)).not.toContain('Out of stock');
  expect(visitor.all('link', { name: /Choose|Build/, within: visitor.main })).toEqual([]);
  const [buyer, staff] = [await as(), await as('admin')];
  for (const step of ['plan', 'region', 'payment&region=central-europe']) {
    const page = await buyer.open(`/servers/buy?plan=small&step=${step}`);
    const said = page.text(page.main);
    expect(said.split('no servers to rent')).toHaveLength(2);
    expect(said).not.toContain('Out of stock');
    expect(said).toContain('Small');
    expect(plans(page)).toHaveLength(4);
    for (const one of plans(page))
      expect([one.hasAttribute('disabled'), one.hasAttribute('checked')]).toEqual([true, false]);
    expect(page.all('button', { within: page.main })).toEqual([]);
    expect(page.all('link', { name: 'Add a node' })).toEqual([]);
  }
  const page = await staff.open('/servers/buy');
  expect(page.one('link', { name: 'Add a node' }).getAttribute('href')).toBe('/servers/admin');
});

test('what was ticked stays ticked when an order is refused', async () => {
  await nodeWithRoom(database.sql);
  const page = await (await as()).open(
    '/servers/buy?plan=small&interval=monthly&region=central-europe&card=4242&step=review&name=Bay&terms=on',
  );
  const terms = page.all('checkbox').find((one) => one.getAttribute('name') === 'terms')!;
  expect(terms.hasAttribute('checked')).toBe(true);
});

test('with a machine the sizes of named plans are said where custom ones are chosen', async () => {
  await nodeWithRoom(database.sql);
  const page = await (await as()).open('/servers/buy');
  expect(page.text(page.main)).toContain(
    'Sizes with their own plan: 4 GB (Small), 6 GB (Medium), 8 GB (Large)',
  );
  expect(page.all('option', { within: page.main }).map((one) => one.getAttribute('value'))).not.toContain(
    '4',
  );
  const listed = await site.open('/servers');
  expect(listed.all('link', { name: 'Build your own' })).toHaveLength(1);
});

test('an order begins with what is not chosen yet, and signing in says what it is for', async () => {
  await nodeWithRoom(database.sql);
  const listed = await site.open('/servers?interval=yearly');
  const asked = await listed.follow(listed.one('link', { name: 'Choose small' }));
  expect(asked.url).toMatch(/^\/auth\/sign-in\?redirect=/);
  expect(asked.text(asked.main)).toContain('Sign in to order your server. Your choices are saved.');
  const buyer = await as();
  const kept = await buyer.open(new URL(asked.url, site.url).searchParams.get('redirect')!);
  kept.one('heading', { name: 'Choose how to pay', level: 1 });
  expect(kept.text(kept.main)).toContain('Small, one year');
  // there is one region
  const page = await buyer.open('/servers/buy?plan=small&step=region');
  page.one('heading', { name: 'Choose how to pay', level: 1 });
  expect(page.url).toContain('region=central-europe');
});

test('a card that was declined is not chosen by itself: another one is asked for', async () => {
  await nodeWithRoom(database.sql);
  const buyer = await build.user(database.sql);
  const [till, declining] = [testBilling(database), testCard('4000000000000002')];
  const ordered = checkout(till, build.actorFor(buyer), orderInput(), declining, new Date());
  await expect(ordered).rejects.toMatchObject({ code: 'payment_declined' });
  const page = await (await site.as(buyer.username)).open(
    '/servers/buy?plan=small&interval=monthly&region=central-europe&step=payment',
  );
  const [saved, ...others] = page.all('radio').filter((one) => one.getAttribute('name') === 'card');
  expect(page.text(saved!.closest('label')!)).toMatch(/0002.*Declined/);
  expect(others).not.toHaveLength(0);
  for (const one of [saved!, ...others]) expect(one.hasAttribute('checked')).toBe(false);
});

test('the currency is chosen above the prices', async () => {
  await nodeWithRoom(database.sql);
  for (const page of [await site.open('/servers'), await (await as()).open('/servers/buy')]) {
    const first = page.main.querySelector('select[name=currency], .plans, input[name=plan]')!;
    expect([page.url, first.getAttribute('name')]).toEqual([page.url, 'currency']);
  }
});

test('who cancels may say why, reads when it ends, and staff read the reason', async () => {
  const owner = await build.user(database.sql);
  const id = await paidServer(database.sql, owner);
  await database.sql`update servers set node_id = (select id from nodes limit 1), port = 25600 where id = ${id}`;
  const own = await site.as(owner.username);
  const billing = `/servers/manage/${id}/options/billing`;
  const reason = {
    'Why are you canceling? (optional)': 'It’s too expensive',
    'Anything else we should know? (optional)': 'Two players',
  };
  const canceled = await cancel(await own.open(billing), 'Cancel subscription', reason);
  expect(canceled.text(canceled.main)).toMatch(
    /Your subscription is canceled\s+Your server runs until \w+ \d+, \d{4}\./,
  );
  const list = await own.open('/servers/manage');
  expect(list.text(list.main)).toMatch(/Canceled, runs until \w+ \d+, \d{4}/);
  const desk = await (await as('admin')).open(`/admin/billing/${owner.username}`);
  expect(desk.text(desk.main)).toContain('Reason for canceling: It’s too expensive');
  expect(desk.text(desk.main)).toContain('Two players');
  const resumed = await send(canceled, 'Undo cancellation', {});
  expect(resumed.text(resumed.main)).toContain('Your subscription continues');
  expect(resumed.text(resumed.main)).not.toContain('is canceled');
});

test('a server that is paid says whether it runs on or has to be started', async () => {
  const owner = await build.user(database.sql);
  await nodeWithRoom(database.sql);
  const id = await paidServer(database.sql, owner);
  const own = await site.as(owner.username);
  const said = async () => {
    const page = await own.open(`/servers/manage/${id}/options/billing?done=paid`);
    return page.text(page.main);
  };
  expect(await said()).toContain('Your server is off. Start it whenever you like.');
  await database.sql`update servers set power_wanted = 'on' where id = ${id}`;
  expect(await said()).toContain('Your server keeps running.');
});

test('Plus that goes on again says that it continues, and when it is paid next', async () => {
  const owner = await site.as((await build.user(database.sql)).username);
  const choice = { 'Visa ending in 4242': true };
  let page = await send(await owner.open('/settings/billing/plus'), 'Pay and get Plus', choice);
  expect(page.text(page.main)).toContain('You have Plus');
  page = await cancel(page, 'Cancel Plus');
  expect(page.text(page.main)).toMatch(/Plus is canceled\s+It ends on \w+ \d+, \d{4}\./);
  page = await send(page, 'Undo cancellation', {});
  expect(page.text(page.main)).toMatch(
    /Plus continues\s+The next payment of \$[\d.]+ is on \w+ \d+, \d{4}\./,
  );
  expect(page.text(page.main)).not.toContain('You have Plus');
  const charges = await owner.open('/settings/billing/charges');
  const year = new Date().getUTCFullYear();
  expect(charges.one('link', { name: `${year} (PDF)` }).getAttribute('href')).toBe(
    `/_internal/billing/invoices.pdf?year=${year}`,
  );
});
