import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { field, send, shownIn } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

/** Who may create something, and a project that is created without scripts. */
const database = testDatabase();
const site = testSite(database);

test('a new account is told first that its address has to be verified', async () => {
  const { username } = await build.user(database.sql, { email_verified: false });
  const visitor = await site.as(username);
  for (const what of ['projects', 'collections']) {
    const page = await visitor.open(`/dashboard/${what}/new`);
    expect(page.text()).toContain('Verify your email address first');
    page.one('button', { name: 'Send again', within: page.main });
    expect(page.all('textbox', { name: 'Name' })).toHaveLength(0);
  }
});

test('without scripts a project is created with the address of its name', async () => {
  const { username } = await build.user(database.sql);
  let page = await (await site.as(username)).open('/dashboard/projects/new');
  const name = 'Marsh quay';
  page = await send(page, 'Create draft', { Name: name });
  expect(shownIn(field(page, 'Name'))).toBe(name);
  page = await send(page, 'Create draft', { Summary: 'Where the reeds are' });
  expect(page.url).toMatch(/^\/mod\/marsh-quay\/version\/create/);
});
