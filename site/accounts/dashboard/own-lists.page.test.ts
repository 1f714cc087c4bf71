import { beforeAll, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { Page } from '../../testing/page.ts';
import { accessibleName } from '../../testing/roles.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** The dashboard's lists of what somebody owns. */
const database = testDatabase();
const site = testSite(database);
let owner: build.BuiltUser;
let visitor: Visitor;
beforeAll(async () => {
  owner = await build.user(database.sql);
  visitor = await site.as(owner.username);
});

const names = (page: Page): string[] =>
  page
    .all('row')
    .flatMap((row) => page.all('link', { name: /^(Basalt|Granite|Slate)$/, within: row }))
    .map(accessibleName);
const fieldsOf = (page: Page, values: Record<string, string>) =>
  page.submit(page.one('search', { within: page.main }).querySelector('button')!, values);

test('collections and organizations are lists of their own', async () => {
  (await visitor.open('/dashboard/organizations')).one('heading', { name: 'No organizations yet' });
  let page = await visitor.open('/dashboard/projects');
  page.one('heading', { name: 'No projects yet' });
  for (const name of ['Slow evenings', 'Winter'])
    await build.collection(database.sql, [], { owner, name, status: 'private' });
  const navigation = page.one('navigation', { name: 'Dashboard' });
  page = await page.follow(page.one('link', { name: 'Collections', within: navigation }));
  page.one('link', { name: 'Followed projects' });
  page.one('searchbox', { name: 'Search your collections' });
  page = await fieldsOf(page, { q: 'wint' });
  page.one('link', { name: 'Winter' });
  expect(page.all('link', { name: 'Slow evenings' })).toHaveLength(0);
});

test('projects are searched, filtered and sorted in the address of their list', async () => {
  for (const title of ['Granite', 'Slate', 'Basalt'])
    await build.project(database.sql, { owner, title, status: 'draft', project_types: ['mod'] });
  let page = await visitor.open('/dashboard/projects?s=name');
  expect(names(page)).toEqual(['Basalt', 'Granite', 'Slate']);
  page.one('searchbox', { name: 'Search your projects' });
  page = await fieldsOf(page, { q: 'gran' });
  expect(names(page)).toEqual(['Granite']);
  page = await fieldsOf(await visitor.open('/dashboard/projects'), { status: 'draft' });
  expect(page.url).toContain('status=draft');
  expect(names(page)).toHaveLength(3);
  page = await fieldsOf(page, { type: 'shader' });
  page.one('heading', { name: 'No matches' });
});
