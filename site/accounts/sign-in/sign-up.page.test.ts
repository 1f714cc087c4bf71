import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { field, send, shownIn } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { goodPassword, person } from '../../testing/signed-in.ts';
import { testSite } from '../../testing/test-site.ts';

/** A new account, signing in and out, without scripts. */
const database = testDatabase('demo');
// the style sheet of ads is none of the build
const site = testSite(database, { ADS: 'off' });

const signIn = (page: Page, username: string, password: string): Promise<Page> =>
  send(page, 'Sign in', { 'Email or username': username, Password: password }, { within: page.main });
const wrong = /^Wrong username or password/;

test('a new user signs up on the way back to a page, out and in again', async () => {
  const visitor = site.visitor();
  const username = 'walker';
  let page = await visitor.open('/auth/sign-in?redirect=%2Fmod%2Flanternroot');
  page = await page.follow(page.one('link', { name: 'Create account', within: page.main }));
  const typed = { Username: username, Email: `${username}@example.test`, Password: goodPassword };
  page = await send(page, 'Create account', { ...typed, 'Repeat password': 'something else' });
  expect(page.withText('Passwords do not match!')).toHaveLength(1);
  expect(shownIn(field(page, 'Username'))).toBe(username);
  page = await send(page, 'Create account', {
    Password: goodPassword,
    'Repeat password': goodPassword,
  });
  expect(page.url).toBe('/mod/lanternroot');

  page = await visitor.open('/auth/sign-in');
  expect(page.text()).toContain(`You’re signed in as ${username}.`);
  await send(page, 'Sign out', {}, { within: page.main });
  page = await signIn(await visitor.open('/auth/sign-in'), username, 'not this one');
  expect(page.withText(wrong)).toHaveLength(1);
  await signIn(page, username, goodPassword);
  expect((await visitor.open('/auth/sign-in')).text()).toContain(`You’re signed in as ${username}.`);
});

test('signing in and out works, with errors beside the fields', async () => {
  const { username } = await person(database.sql);
  const visitor = site.visitor();
  let page = await visitor.open('/auth/sign-in?redirect=%2Fmods');
  page = await signIn(page, username, 'not this one');
  expect(page.withText(wrong)).toHaveLength(1);
  page = await signIn(page, username, goodPassword);
  expect(page.url).toBe('/mods');
  page = await visitor.open('/auth/sign-in');
  await send(page, 'Sign out', {}, { within: page.main });
  page = await visitor.open('/auth/sign-in');
  page.one('button', { name: 'Sign in', within: page.main });
});

test('signing in never redirects to another site', async () => {
  const { username } = await person(database.sql);
  const page = await site.open('/auth/sign-in?redirect=https%3A%2F%2Fevil.example%2F');
  expect((await signIn(page, username, goodPassword)).url).toBe('/');
});
