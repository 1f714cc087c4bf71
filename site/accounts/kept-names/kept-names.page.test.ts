import { expect, test } from 'vitest';
import { auditConsumer } from '#db/moderation/audit/consumer.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

/** Staff find a kept name by typing it, and release it with a reason that the audit log keeps. */
const database = testDatabase();
const site = testSite(database);

test('a moderator releases a name that was given up, is warned before 90 days, and others see nothing', async () => {
  const { sql } = database;
  const moderator = await build.user(sql, { role: 'moderator' });
  const admin = await build.user(sql, { role: 'admin' });
  const person = await build.user(sql, { username: 'mirelle' });
  const gone = await build.user(sql, { username: 'gone-long-ago' });
  const [staff, stranger] = [await site.as(moderator.username), await site.as(person.username)];
  expect((await site.open('/admin/names')).url).toMatch(/^\/auth\/sign-in/);
  expect((await stranger.open('/admin/names')).status).toBe(404);
  expect((await staff.open('/admin/names')).text()).toContain('No reserved names');

  await sql`update users set username = 'mirelle-new' where id = ${person.id}`;
  await sql`delete from users where id = ${gone.id}`;
  await sql`update kept_names set since = now() - interval '100 days' where owner_id is null`;
  let page = await staff.open('/admin/names');
  expect(page.text(page.main)).toContain('Reserved for: mirelle-new');
  expect(page.text(page.main)).toContain('90 of 90 days left');
  expect(page.text(page.main)).not.toContain('gone-long-ago');

  page = await staff.open('/admin/names?kind=user&q=gone-long-ago');
  expect(page.text(page.main)).toContain('Reserved for a deleted account');
  expect(page.text(page.main)).toContain('Reserved for more than 90 days');
  expect(page.text(page.main)).not.toContain('less than 90 days');
  page = await send(page, 'Release name');
  expect(page.text()).toContain('This field is required.');
  page = await send(page, 'Release name', { Reason: 'Its owner of old asked for it' });
  expect(page.text()).toContain('Name released');
  expect((await staff.open('/admin/names?q=gone-long-ago')).text()).toContain('This name isn’t reserved');

  page = await staff.open('/admin/names?q=mirelle');
  expect(page.text(page.main)).toContain('It was given up less than 90 days ago');
  await sql`update sessions set proved = now() - interval '1 hour'`;
  page = await send(page, 'Release name', { Reason: 'Asked for' });
  expect(page.url).toContain('/auth/confirm?redirect=%2Fadmin%2Fnames%3F');

  while ((await auditConsumer(sql).step()) > 0);
  const log = await (await site.as(admin.username)).open('/admin/audit?name=catalogue.name_released');
  expect(log.text(log.main)).toContain('gone-long-ago');
  expect(log.text(log.main)).toContain('Its owner of old asked for it');
});
