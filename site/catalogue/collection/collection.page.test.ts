import { expect, test } from 'vitest';
import { demoAccounts } from '#db/demo/demo.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { call } from '../../testing/call.ts';
import { send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';

const site = testSite(testDatabase('demo'));

interface Hit {
  project_id: string;
  title: string;
  downloads: number;
}

/** Four projects of a type, most downloaded first. */
async function some(type: string): Promise<Hit[]> {
  const facets = encodeURIComponent(JSON.stringify([[`project_types=${type}`]]));
  const answer = await site.fetch(`/v2/search?index=downloads&limit=4&facets=${facets}`);
  return ((await answer.json()) as { hits: Hit[] }).hits;
}

/** The titles of the list, without the authors beside them. */
const titles = (page: Page): string[] =>
  page
    .all('listitem', { within: page.main })
    .flatMap((row) => page.all('heading', { within: row }))
    .map((heading) => page.text(page.all('link', { within: heading })[0]!));

test('a collection is public: in its own order, by type, sorted, searched', async () => {
  const [mods, shaders] = [await some('mod'), await some('shader')];
  const arranged = [mods[2]!, shaders[0]!, mods[0]!];
  const { id } = await call<{ id: string }>(await site.as(demoAccounts[2]!), 'POST', '/v3/collection', {
    name: 'Slow evenings',
    description: 'For when the fire is lit.\nNothing needs to be won.',
    projects: arranged.map(({ project_id }) => project_id),
  });
  const first = await site.open(`/collection/${id}`);
  expect(first.title).toBe('Slow evenings - Collection - Cairn');
  first.one('heading', { name: 'Slow evenings', level: 1 });
  expect(first.withText('3 projects').length).toBeGreaterThan(0);
  expect(first.withText(demoAccounts[2]!, first.one('complementary'))).not.toHaveLength(0);
  expect(titles(first)).toEqual(arranged.map(({ title }) => title));

  let page = await send(first, 'Show', { Sort: 'Downloads' });
  expect(page.url).toMatch(/[?&]s=downloads/);
  const sorted = [...arranged].sort((a, b) => b.downloads - a.downloads);
  expect(titles(page)).toEqual(sorted.map(({ title }) => title));
  page = await first.follow(first.one('link', { name: /^Shaders ?1$/ }));
  expect(page.url).toBe(`/collection/${id}/shaders`);
  expect(titles(page)).toEqual([shaders[0]!.title]);
  page = await send(page, 'Show', { 'Search this collection': 'nothing like this' });
  page.one('heading', { name: 'No matches' });

  page = await site.open(`/collection/${id}?s=nonsense&page=999&page=x&what=ever`);
  expect(page.url).toBe(`/collection/${id}`);
  expect(titles(page)).toEqual(arranged.map(({ title }) => title));
  expect((await site.fetch(`/collection/${id}/nothing`)).status).toBe(404);
});

test('an edit is visible at once, and a private collection exists for its owner only', async () => {
  const owner = await site.as(demoAccounts[3]!);
  const [mod] = await some('mod');
  const { id } = await call<{ id: string }>(owner, 'POST', '/v3/collection', {
    name: 'For later',
    projects: [mod!.project_id],
  });
  (await site.open(`/collection/${id}`)).one('heading', { name: 'For later', level: 1 });
  await call(owner, 'PATCH', `/v3/collection/${id}`, { name: 'For much later' });
  (await site.open(`/collection/${id}`)).one('heading', { name: 'For much later', level: 1 });

  await call(owner, 'PATCH', `/v3/collection/${id}`, { status: 'private' });
  const hidden = await site.open(`/collection/${id}`);
  expect(hidden.status).toBe(404);
  hidden.one('heading', { name: 'Collection not found', level: 1 });
  expect(hidden.text()).toContain('It’s private or was deleted.');
  const own = await owner.open(`/collection/${id}`);
  own.one('heading', { name: 'For much later', level: 1 });
  expect(own.withText('Private')).not.toHaveLength(0);
});

test('followed projects are a personal page', async () => {
  expect((await site.open('/collection/following')).url).toBe(
    '/auth/sign-in?redirect=%2Fcollection%2Ffollowing',
  );
  const person = await site.as((await build.user(site.sql)).username);
  (await person.open('/collection/following')).one('heading', { name: 'Followed projects', level: 1 });
  const shaders = await some('shader');
  await call(person, 'POST', `/v2/project/${shaders[3]!.project_id}/follow`);
  (await person.open('/collection/following')).one('link', { name: shaders[3]!.title });
});

test('only its owner opens the page that edits a collection', async () => {
  const { id } = await build.collection(site.sql, [], { name: 'Mine alone' });
  expect((await site.open(`/collection/${id}/edit`)).url).toMatch(/^\/auth\/sign-in/);
  const other = await site.as(demoAccounts[2]!);
  expect((await other.fetch(`/collection/${id}/edit`)).status).toBe(404);
});
