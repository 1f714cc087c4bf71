import { expect, test } from 'vitest';
import { SecurityLog } from '#db/platform/security-log/security-log.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../testing/fill.ts';
import { goodPassword, person } from '../../testing/signed-in.ts';
import { testSite } from '../../testing/test-site.ts';

const database = testDatabase();
const site = testSite(database);
const origin = { address: '192.0.2.77', credential: 'session AAAAAAAA' };

test('a person sees what happened to their own account, page by page', async () => {
  const { sql } = database;
  const [person, other] = [await build.user(sql), await build.user(sql)];
  const log = new SecurityLog(sql);
  for (let hour = 0; hour < 60; hour++)
    log.record({ kind: 'sign_in', user_id: person.id, now: new Date(Date.UTC(2026, 10, 1, hour)) }, origin);
  log.record({ kind: 'proof_failed', user_id: other.id, now: new Date() }, origin);
  await log.write();
  const visitor = await site.as(person.username);
  const page = await visitor.open('/settings/security-log');
  page.one('heading', { name: 'Security log', level: 1 });
  expect(page.text()).toContain('Signed in');
  expect(page.text()).toContain('192.0.2.77');
  expect(page.text()).not.toContain('Identity confirmation failed');
  expect(page.document.querySelectorAll('.security-log li')).toHaveLength(50);
  const older = await page.follow(page.one('link', { name: 'Older entries' }));
  expect(older.document.querySelectorAll('.security-log li')).toHaveLength(10);
  expect(
    (await visitor.open('/settings/security-log?before=x')).document.querySelectorAll('.security-log li'),
  ).toHaveLength(50);
});

test('an entry says with what somebody was signed in, not by which id', async () => {
  const { sql } = database;
  const { id, username } = await person(sql);
  const asked = await site.visitor().open('/auth/sign-in');
  const typed = { 'Email or username': username, Password: goodPassword };
  await send(asked, 'Sign in', typed, { within: asked.main });
  const log = () => sql`select credential from security_events where user_id = ${id} and kind = 'sign_in'`;
  await expect.poll(log).toHaveLength(1);
  const [entry] = await log();
  const page = await (await site.as(username)).open('/settings/security-log');
  expect(page.text()).toMatch(/With \u2068?Chrome on /);
  expect(page.text()).not.toContain(entry!.credential.split(' ')[1]);
});

test('staff see everybody’s and choose whose, others nothing', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const log = new SecurityLog(sql);
  log.record({ kind: 'sign_in_failed', user_id: person.id, now: new Date() }, origin);
  log.record({ kind: 'sign_in_failed', user_id: null, now: new Date() }, origin);
  await log.write();
  const desk = await site.as((await build.user(sql, { role: 'moderator' })).username);
  const all = await desk.open('/admin/security?kind=sign_in_failed');
  expect(all.text()).toContain(person.username);
  expect(all.text()).toContain('unknown name');
  const theirs = await desk.open(`/admin/security?who=${person.username}`);
  expect(theirs.text()).not.toContain('unknown name');
  expect((await desk.open('/admin/security?who=nobody-at-all')).text()).toContain('No activity yet');
  // addresses are for administrators
  const admin = await site.as((await build.user(sql, { role: 'admin' })).username);
  const path = `/admin/security?who=${person.username}`;
  expect(theirs.text()).not.toContain('192.0.2.77');
  expect((await admin.open(path)).text()).toContain('192.0.2.77');
  const stranger = await site.as(person.username);
  expect((await stranger.open('/admin/security')).status).toBe(404);
});

test('staff without a second factor are told until when, and what to do', async () => {
  const { sql } = database;
  const moderator = await build.user(sql, { role: 'moderator' });
  const desk = await site.as(moderator.username);
  const page = await desk.open('/admin/security');
  expect(page.text()).toMatch(/Set up two-factor authentication by \S+/);
  await sql`update users set staff_since = now() - interval '8 days' where id = ${moderator.id}`;
  expect((await desk.open('/admin/security')).status).toBe(404);
  expect((await desk.open('/settings/account')).text()).toContain('Your staff permissions have been paused');
  await sql`insert into two_factor ${sql({ user_id: moderator.id, passkeys: true, created: new Date() })}`;
  expect((await desk.open('/admin/security')).text()).not.toContain('two-factor authentication by');
});
