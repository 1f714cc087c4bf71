import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { lockProject } from '#db/catalogue/projects/locked.ts';
import { createServer } from '#db/hosting/servers/write.ts';
import { notificationsOfUser } from '#db/messages/notifications/read.ts';
import { type NewNotification, siteTypes } from '#db/messages/notifications/rules.ts';
import { notify } from '#db/messages/notifications/write.ts';
import { createReport } from '#db/moderation/reports/write.ts';
import { takeDown } from '#db/moderation/takedowns/write.ts';
import { checkout } from '#db/money/billing/checkout.ts';
import { paidOrder } from '#db/money/billing/read.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import { newId } from '#db/platform/id.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { notificationBodies } from '#db/testing/notification-bodies.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** Every notification leads to a page that opens for who got it; the pages of what a renter pays. */
const database = testDatabase();
const site = testSite(database);
const now = new Date();
let reader: build.BuiltUser;
let actor: Actor;
let visitor: Visitor;
/** What notifications are about. */
const about = {} as Record<
  | 'project_id'
  | 'version_id'
  | 'team_id'
  | 'held_id'
  | 'organization_id'
  | 'server_id'
  | 'report_id'
  | 'friend_id',
  string
>;

beforeAll(async () => {
  const { sql } = database;
  reader = await build.user(sql);
  actor = build.actorFor(reader);
  visitor = await site.as(reader.username);
  const project = await build.project(sql, { owner: reader, title: 'Slowwater', project_types: ['mod'] });
  const version = await build.version(sql, project);
  const organization = await build.organization(sql, { owner: reader });
  const held = await build.project(sql, { owner: reader, title: 'Cornerpost', project_types: ['mod'] });
  const staff = build.actorFor(await build.user(sql), { role: 'moderator' });
  await sql.begin(async (tx) =>
    takeDown(tx, staff, await lockProject(tx, held.id, staff), { kind: 'copyright', reason: 'Theirs', now }),
  );
  const other = await build.project(sql);
  const report = {
    report_type: 'spam',
    item_id: other.id,
    item_type: 'project',
    body: 'Look.',
    uploaded_images: [],
  };
  const report_id = await sql.begin((tx) => createReport(tx, actor, report as never, now));
  await nodeWithRoom(sql, { rooms: 10, seen: now });
  const till = testBilling(database);
  const { server_id, order_id } = await checkout(
    till,
    actor,
    orderInput(),
    testCard('4242424242424242'),
    now,
  );
  await sql.begin(async (tx) => createServer(tx, (await paidOrder(tx, order_id))!));
  Object.assign(about, {
    ...{ project_id: project.id, version_id: version.id, team_id: project.team, held_id: held.id },
    ...{ organization_id: organization.id, server_id, report_id, friend_id: (await build.user(sql)).id },
  });
});

/** One of each type, and of each way that it leads. */
const bodies = () => ({
  ...notificationBodies({ ...about, person_id: about.friend_id }, now.toISOString()),
  takedown: [
    { project_id: about.held_id, state: 'placed' },
    { project_id: about.project_id, state: 'ended' },
  ],
});

const opened = new Map<string, number>();
async function statusOf(path: string): Promise<number> {
  const known = opened.get(path) ?? (await visitor.open(path)).status;
  opened.set(path, known);
  return known;
}

test.each(siteTypes)('%s leads to a page that opens for its reader', async (type) => {
  const { sql } = database;
  for (const body of bodies()[type]) {
    await sql`delete from notifications where user_id = ${reader.id}`;
    await notify(sql, [reader.id], { type, body } as NewNotification);
    const page = await visitor.open('/dashboard/notifications');
    const line = page.document.querySelector('.notes p.line a');
    expect(line, JSON.stringify(body)).not.toBeNull();
    expect(line!.textContent).not.toMatch(/notifications\.|\{|undefined/);
    expect(await statusOf(line!.getAttribute('href')!), line!.getAttribute('href')!).toBe(200);
    // where programs send people
    const [sent] = await notificationsOfUser(sql, reader.id);
    expect(await statusOf(sent!.link), sent!.link).toBe(200);
  }
});

test('what is left of a deleted server are its payments', async () => {
  const { sql } = database;
  const body = {
    kind: 'suspended',
    service: 'Valley',
    server_id: newId(),
    amount_minor: null,
    currency: null,
  } as const;
  await sql`delete from notifications where user_id = ${reader.id}`;
  await notify(sql, [reader.id], { type: 'billing', body: { ...body, at: now.toISOString() } });
  const page = await visitor.open('/dashboard/notifications');
  const line = page.document.querySelector('.notes p.line a')!;
  expect(line.getAttribute('href')).toBe('/settings/billing/charges');
  expect(line.textContent).toMatch(/Valley. was suspended\. It will be deleted on .* unless you renew it\./);
});

test('the dashboard of a renter has their servers and the next payment', async () => {
  const page = await visitor.open('/dashboard');
  const servers = page.main.querySelector('[aria-labelledby=servers-title]')!;
  page.one('link', { name: 'Valley', within: servers });
  expect(page.text(servers)).toMatch(/Next payment: .\$12\.00. for .Valley. on /);
  const nobody = await site.as((await build.user(database.sql)).username);
  expect((await nobody.open('/dashboard')).main.querySelector('[aria-labelledby=servers-title]')).toBeNull();
});

test('the payments of a renter say what was given back', async () => {
  const { sql } = database;
  const [charge] = await sql<Array<{ id: string }>>`select id from charges where user_id = ${reader.id}`;
  const staff = build.actorFor(await build.user(sql), { role: 'admin' });
  const refund = { op_id: randomUUID(), charge_id: charge!.id, amount_minor: 500, seen_minor: 0 };
  await sql.begin((tx) =>
    refundByStaff(tx, testBilling(database), staff, { ...refund, reason: 'lag', takes_service: false }, now),
  );
  const page = await visitor.open('/settings/billing/charges');
  expect(page.withText('Partly refunded')).toHaveLength(1);
  expect(page.text(page.main)).toMatch(/\$5\.00.? refunded/);
});

test('the overview of a server says until its first backup that there is none', async () => {
  const { sql } = database;
  const path = `/servers/manage/${about.server_id}`;
  await sql`
    update servers set lifecycle = 'ready', node_id = (select id from nodes limit 1), port = 25600,
      seen = '{"installed": 1, "ran": true}' where id = ${about.server_id}`;
  expect((await visitor.open(path)).text()).toContain('No backup yet');
  await sql`
    update servers set lifecycle = 'suspended',
      lifecycle_data = '{"reason": "cancelled", "until": "2026-12-06T12:00:00Z"}' where id = ${about.server_id}`;
  const page = await visitor.open(path);
  expect(page.text()).toContain('It will be deleted for good on December 6, 2026.');
  page.one('link', { name: 'Renew' });
});
