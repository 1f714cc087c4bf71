import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testSite } from '../../testing/test-site.ts';

const database = testDatabase();
const site = testSite(database, { SEED: 'none' });

/** Parts of a page that say nothing but 0. */
const zerosIn = (main: Element) =>
  [...main.querySelectorAll('*')]
    .filter((part) => part.textContent.trim() === '0')
    .map((part) => part.outerHTML);

test('a site without projects says that it is new and what one can do, and counts nothing', async () => {
  const home = await site.open('/');
  const part = home.one('heading', { name: 'This site is new' }).closest('section')!;
  const ways = home.all('link', { within: part });
  expect(ways.map((link) => link.textContent.trim())).toEqual([
    ...['Create an account', 'Publish the first project', 'Read how it works', 'Subscribe to the news'],
  ]);
  for (const link of ways) expect((await site.visitor().open(link.getAttribute('href')!)).status).toBe(200);
  expect(zerosIn(home.one('main'))).toEqual([]);

  const mods = await site.open('/mods');
  mods.one('heading', { name: 'This site is new' });
  const list = mods.one('link', { name: 'Publish a project' });
  expect(list.getAttribute('href')).toBe('/dashboard/projects/new');
  expect(zerosIn(mods.one('main'))).toEqual([]);
  const filtered = await site.open('/mods?q=lantern');
  filtered.one('heading', { name: 'Nothing found' });

  const statistics = await site.open('/statistics');
  statistics.one('heading', { name: 'This site is new' });
  expect(zerosIn(statistics.one('main'))).toEqual([]);
});

test('the next steps of administrators lead to pages that exist', async () => {
  const admin = await site.as((await build.user(database.sql, { role: 'admin' })).username);
  const home = await admin.open('/');
  const list = home.one('main').querySelector('[data-setup]')!;
  const other = await site.as((await build.user(database.sql)).username);
  for (const visitor of [other, site.visitor()])
    expect((await visitor.open('/')).one('main').querySelector('[data-setup]')).toBeNull();
  const links = [...list.querySelectorAll('a')].map((link) => link.getAttribute('href')!);
  expect(links.length).toBeGreaterThan(4);
  for (const href of links) expect([href, (await admin.open(href)).status]).toEqual([href, 200]);
});

test('whoever has no projects reads how to publish one on the dashboard, and no zeros', async () => {
  const person = await site.as((await build.user(database.sql)).username);
  const page = await person.open('/dashboard');
  page.one('link', { name: 'How publishing works' });
  expect(zerosIn(page.one('main'))).toEqual([]);
});
