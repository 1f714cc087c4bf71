import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, send } from '../../testing/fill.ts';
import { goodPassword, person } from '../../testing/signed-in.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** The tools of staff for accounts: one is found, suspended and back again, gets a role, loses trust. */
const database = testDatabase();
const site = testSite(database);
const staff = async (role: 'moderator' | 'admin'): Promise<Visitor> =>
  await site.as((await build.user(database.sql, { role })).username);
const find = async (desk: Visitor, who: string) =>
  await send(await desk.open('/admin/user_email'), 'Find', { 'Email address, username or ID': who });

test('a moderator finds an account and suspends it; its owner is signed out and reads why', async () => {
  const { username, email } = await person(database.sql);
  const owner = await site.as(username);
  const desk = await staff('moderator');
  let page = await find(desk, 'nobody@example.org');
  expect(descriptionOf(field(page, 'Email address, username or ID'))).toContain('That user doesn’t exist.');
  page = await find(desk, email.toUpperCase());
  page.one('heading', { name: username, level: 1 });
  expect(page.all('button', { name: 'Save' })).toHaveLength(0); // administrators only
  page = await send(page, 'Suspend account');
  expect(descriptionOf(field(page, 'Reason'))).not.toBe('');
  page = await send(page, 'Suspend account', { Reason: 'The same advertisement in ten projects' });
  expect(page.text()).toContain('Account suspended and signed out');

  const signIn = async () => {
    const asked = await owner.open('/dashboard/reports');
    const typed = { 'Email or username': username, Password: goodPassword };
    return await send(asked, 'Sign in', typed, { within: asked.main });
  };
  expect((await signIn()).text()).toMatch(
    /suspended until .* Reason: The same advertisement in ten projects/,
  );
  page = await send(page, 'Lift suspension');
  expect(page.text()).toContain('Suspension lifted');
  expect((await signIn()).url).toBe('/dashboard/reports');
  expect((await owner.open('/admin/user_email')).status).toBe(404);
});

test('an administrator sees where somebody is signed in, gives a role, and reads it in the log', async () => {
  const { username } = await person(database.sql);
  const asked = await site.visitor().open('/auth/sign-in');
  const typed = { 'Email or username': username, Password: goodPassword };
  await send(asked, 'Sign in', typed, { within: asked.main });
  const desk = await staff('admin');
  let page = await find(desk, username);
  const sessions = page.one('region', { name: 'Sessions' });
  expect(page.text(sessions)).toContain('Chrome');
  page = await send(page, 'Save', { Role: 'moderator' });
  expect(page.text(page.main)).toContain('Role and badges saved');
  await site.consumeEvents();
  expect((await desk.open('/admin/audit')).text()).toContain(
    `gave \u2068${username}\u2069 the role moderator`,
  );
});

test('staff take the trust in a creator away', async () => {
  const creator = await build.user(database.sql);
  await database.sql`insert into trusted_creators (user_id, since) values (${creator.id}, now())`;
  const admin = await staff('admin');
  let page = await admin.open(`/admin/user/${creator.id}`);
  page = await send(page, 'Remove trust');
  expect(page.text()).toContain('Removed by staff');
  expect(page.all('button', { name: 'Remove trust' })).toEqual([]);
  // who has none yet can be kept from earning it, and not lose it
  const other = await admin.open(`/admin/user/${(await build.user(database.sql)).id}`);
  other.one('button', { name: 'Block from earning trust' });
  expect(other.all('button', { name: 'Remove trust' })).toEqual([]);
});

test('a file is not looked up by what is no hash', async () => {
  const page = await (await staff('moderator')).open('/admin/file_lookup');
  expect((await send(page, 'Find', { 'SHA-1 or SHA-512': 'abc' })).text()).toContain(
    'This is neither a SHA-1 nor a SHA-512.',
  );
});
