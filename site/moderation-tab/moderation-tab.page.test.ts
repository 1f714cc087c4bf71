import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, send, shownIn } from '../testing/fill.ts';
import { testSite } from '../testing/test-site.ts';

const database = testDatabase();
// the style sheet of ads is none of the build
const site = testSite(database, { ADS: 'off' });

test('nobody else finds the tab of a public project, and members know that nobody watches', async () => {
  const project = await build.project(database.sql, { project_types: ['mod'] });
  await build.version(database.sql, project);
  const path = `/mod/${project.slug}/moderation`;
  expect((await site.open(`/mod/${project.slug}`)).all('link', { name: 'Moderation' })).toHaveLength(0);
  const stranger = await site.as((await build.user(database.sql)).username);
  expect((await stranger.open(path)).status).toBe(403);

  let page = await (await site.as(project.owner.username)).open(path);
  page = await send(page, 'Send message', { 'Your message': 'A question' });
  expect(descriptionOf(field(page, /don’t watch this thread/))).toMatch(/Confirm first/);
  expect(shownIn(field(page, 'Your message'))).toBe('A question');
});
