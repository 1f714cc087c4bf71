import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';

/** Projects that a profile shows first, chosen without scripts; hidden ones are not shown. */
const database = testDatabase();
const site = testSite(database);
const formOf = (page: Page) => ({ within: page.document.querySelector('#pins')! });
const pinned = (page: Page): string[] =>
  [...page.document.querySelectorAll('section.pinned h3')].map((title) =>
    title.querySelector('a')!.textContent!.trim(),
  );
/** Presses the button below the list; the first of the form is that of the Enter key. */
const save = (page: Page, values: Record<string, string | boolean>) =>
  send(page, page.document.querySelector('#pins .unsaved [type=submit]')!, values, formOf(page));

test('projects are pinned to a profile', async () => {
  const owner = await build.user(database.sql);
  await build.project(database.sql, { owner, title: 'First' });
  await build.project(database.sql, { owner, title: 'Second' });
  await build.project(database.sql, { owner, title: 'Hidden', status: 'draft' });
  const visitor = await site.as(owner.username);
  const profile = async () => pinned(await visitor.open(`/user/${owner.username}`));
  let page = await visitor.open('/settings/profile');
  for (const title of ['First', 'Second', 'Hidden']) {
    page = await save(page, { 'Pin a project': title });
    const rows = page.all('listitem', formOf(page)).map((row) => page.text(row));
    expect(rows).toContainEqual(expect.stringContaining(title));
  }
  expect(page.withText('Only you and other members can see it', formOf(page).within)).toHaveLength(1);
  page = await send(page, 'Move Second up', {}, formOf(page));
  expect(await profile()).toEqual(['Second', 'First']);

  page = await visitor.open('/settings/profile');
  page = await save(page, { 'Unpin Second': true });
  expect(page.text()).toContain('Changes saved');
  expect(await profile()).toEqual(['First']);
});

test('an organization pins its projects', async () => {
  const group = await build.organization(database.sql);
  await build.project(database.sql, { organization: group, title: 'Heron' });
  const visitor = await site.as(group.owner.username);
  let page = await visitor.open(`/organization/${group.slug}/settings`);
  page = await save(page, { 'Pin a project': 'Heron' });
  expect(page.text()).toContain('Changes saved');
  expect(pinned(await site.open(`/organization/${group.slug}`))).toEqual(['Heron']);
});
