import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../testing/fill.ts';
import type { Page } from '../testing/page.ts';
import { goodPassword, person } from '../testing/signed-in.ts';
import { testSite } from '../testing/test-site.ts';

/** Signing in and out, without scripts. */
const database = testDatabase('demo');
// the style sheet of ads is none of the build
const site = testSite(database, { ADS: 'off' });

const signIn = (page: Page, username: string, password: string): Promise<Page> =>
  send(page, 'Sign in', { 'Email or username': username, Password: password }, { within: page.main });
const wrong = /^Wrong username or password/;

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
