import { beforeAll, expect, test } from 'vitest';
import { createReport } from '#db/moderation/reports/write.ts';
import { checkout } from '#db/money/billing/checkout.ts';
import { requestPayout } from '#db/money/payouts/request.ts';
import { eventNames } from '#db/platform/events/catalogue.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '#db/testing/payouts.ts';
import { staffScreens } from '../../platform/layouts/staff-screens.ts';
import { send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** Staff read sentences and names: no page of theirs shows an id of the database, the name of an event, or JSON. */
const database = testDatabase('demo');
const site = testSite(database, { PAYMENTS: 'test', PAYOUTS: 'test' });
const ids = new Set<string>();
let desk: Visitor;

/** Every id that is stored anywhere. */
async function collectIds(): Promise<void> {
  const { sql } = database;
  const columns = await sql<Array<{ table_name: string; column_name: string }>>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and domain_name = 'id'`;
  for (const { table_name, column_name } of columns) {
    const rows = await sql<Array<{ id: string | null }>>`
      select distinct ${sql(column_name)} as id from ${sql(table_name)} limit 5000`;
    for (const { id } of rows) if (id !== null && id.length === 8) ids.add(id);
  }
}

beforeAll(async () => {
  const { sql } = database;
  await nodeWithRoom(sql);
  const buyer = await build.user(sql, { username: 'willow' });
  const actor = build.actorFor(buyer);
  await checkout(testBilling(database), actor, orderInput({ name: 'Amber Fort' }), null, new Date());
  await earn(sql, buyer.id, 50_000, new Date());
  const provider = new ScriptedPayouts();
  provider.next = 'in-transit';
  await requestPayout(payoutContext(sql, provider), actor, withdrawal(), new Date());
  const project = await build.project(sql, { title: 'Reported stones', project_types: ['mod'] });
  const about = { report_type: 'spam', item_type: 'project', item_id: project.id, body: 'Look' } as const;
  await sql.begin((tx) => createReport(tx, actor, about, new Date()));
  const admin = await build.user(sql, { role: 'admin', username: 'quartermaster' });
  desk = await site.as(admin.username);
  await site.consumeEvents();
  await collectIds();
});

const names: ReadonlySet<string> = new Set(eventNames);

/** What is on a page that only a developer reads. */
function codesOn(page: Page): string[] {
  const text = page.main.textContent ?? '';
  const words = text.match(/[\w.]+/g) ?? [];
  return [
    ...words.filter((word) => ids.has(word) || names.has(word)),
    ...(text.match(/\{"[a-z_]+":/g) ?? []),
    ...(text.match(/\b(?:income|undivided|customer|creator|processor|platform|pending):\S+/g) ?? []),
  ];
}

/** The addresses below staff pages that a page leads to, without those of pages and filters. */
const linksOn = (page: Page): string[] =>
  [...page.main.querySelectorAll('a[href]')]
    .map((link) => link.getAttribute('href')!.split(/[?#]/, 1)[0]!)
    .filter((path) => /^\/(?:admin|moderation)\//.test(path));

test('no page of staff shows an id, the name of an event or JSON', async () => {
  const waiting = staffScreens.map(({ path }) => path).filter((path) => /^\/(?:admin|moderation)/.test(path));
  const more = ['billing/report', 'payouts/income', 'takedowns/new', 'file_lookup'].map(
    (path) => `/admin/${path}`,
  );
  const todo = [...waiting, ...more];
  const seen = new Set<string>();
  const found: Record<string, string[]> = {};
  const shapes = new Map<string, number>();
  for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
    // a few of each kind are enough
    const shape = path.replace(/[0-9A-Za-z]{8}/, 'ID');
    if (seen.has(path) || (shapes.get(shape) ?? 0) >= 3) continue;
    seen.add(path);
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    const page = await desk.open(path);
    expect([path, page.status]).toEqual([path, 200]);
    const codes = codesOn(page);
    if (codes.length > 0) found[path] = [...new Set(codes)].slice(0, 8);
    todo.push(...linksOn(page));
  }
  expect(found).toEqual({});
  expect(seen.size).toBeGreaterThan(20);
});

test('a moderator opens the pages of staff only, finds no link to another, no address and no place', async () => {
  const { sql } = database;
  const moderator = await site.as((await build.user(sql, { role: 'moderator' })).username);
  const [buyer] = await sql`select id from users where username = 'willow'`;
  const at = { first: new Date(), last: new Date() };
  const event = { kind: 'sign_in', user_id: buyer!.id, address: '192.0.2.77', ...at };
  await sql`insert into security_events ${sql(event)}`;
  await sql`update users set email = 'willow@private.example' where id = ${buyer!.id}`;
  const opened: Record<string, number> = {};
  for (const { path } of staffScreens) opened[path] = (await moderator.open(path)).status;
  expect(opened).toEqual(
    Object.fromEntries(staffScreens.map(({ path, audience }) => [path, audience === 'staff' ? 200 : 404])),
  );
  const own = [`/admin/user/${buyer!.id}`, '/admin/billing/willow', '/admin/security?who=willow'];
  const links = new Set<string>();
  for (const path of own) {
    const page = await moderator.open(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect([path, page.text().match(/192\.0\.2\.77|private\.example/)]).toEqual([path, null]);
    for (const link of page.main.querySelectorAll('a[href^="/"]')) links.add(link.getAttribute('href')!);
  }
  const dead: string[] = [];
  for (const path of links)
    if (!(path in opened) && (await moderator.open(path)).status !== 200) dead.push(path);
  expect(dead).toEqual([]);
});

test('the audit log, the ledger and the overview say who did what', async () => {
  const log = (await desk.open('/admin/audit?subject=willow')).text();
  expect(log).toMatch(/willow.* paid \$12\.00/);
  expect((await desk.open('/admin/audit?name=money')).text()).toMatch(
    /willow.* requested a payout of \$10\.00/,
  );
  const ledger = (await desk.open('/admin/billing')).text();
  expect(ledger).toMatch(/willow.* paid \$12\.00 for .*Amber Fort/);
  const overview = await desk.open('/admin');
  overview.one('link', { name: /^Open reports: / });
  expect(overview.text()).toContain('Server sales');
  for (const page of [overview, await desk.open('/moderation')]) {
    const menu = page.document.querySelector('nav.side')!;
    expect(page.text(menu)).toMatch(/^Staff Overview Review queue \d+ Reports \d+/);
  }
});

test('a visitor signs in first, and whoever is no staff is told that there is no such page', async () => {
  for (const path of ['/moderation', '/moderation/reports', '/admin', '/admin/payouts'])
    expect((await site.open(path)).url).toMatch(/^\/auth\/sign-in\?redirect=/);
  const page = await (await site.as('willow')).open('/admin/payouts');
  expect(page.status).toBe(404);
  expect(page.text(page.main)).toContain('/admin/payouts');
});

test('a payout that hangs is checked and settled, and income is entered', async () => {
  let page = await desk.open('/admin/payouts?state=open');
  page = await page.follow(page.one('link', { name: /^\$10\.00 to .*willow/ }));
  expect(page.text(page.main)).toContain('In transit');
  page = await send(page, 'Settle', {
    'Not paid and won’t be: the money returns to the balance': true,
  });
  expect(page.text(page.main)).toContain('Give a reason');
  page = await send(page, 'Settle', {
    'Not paid and won’t be: the money returns to the balance': true,
    Reason: 'Support says it never left',
    'I’m sure. If the provider can’t be reached or already has this payout, it may be paid twice.': true,
  });
  expect(page.text(page.main)).toContain('Settled');
  expect(page.text(page.main)).toContain('Failed');

  page = await desk.open('/admin/payouts/income');
  page = await send(page, 'Enter revenue', { 'Day in UTC': '2026-11-01', 'Amount in US dollars': 'x' });
  expect(page.text(page.main)).toContain('Enter an amount with up to two decimals');
  page = await send(page, 'Enter revenue', {
    'Day in UTC': '2026-11-01',
    'Amount in US dollars': '12.34',
    Reference: 'Invoice 7',
  });
  expect(page.text(page.main)).toContain('Revenue entered.');
  expect(page.text(page.main)).toMatch(/November 1, 2026 .*\$12\.34/);
});
