import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, send, shownIn } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

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
  expect(descriptionOf(field(page, /don’t read this thread/))).toMatch(/First confirm/);
  expect(shownIn(field(page, 'Your message'))).toBe('A question');
});

test('a reviewer who opens the address of a review gets the panel, or why there is none', async () => {
  const { sql } = database;
  const project = await build.project(sql, { project_types: ['mod'], status: 'processing' });
  await build.version(sql, project);
  const path = `/mod/${project.slug}`;
  const asModerator = async () => await site.as((await build.user(sql, { role: 'moderator' })).username);
  const [desk, other] = [await asModerator(), await asModerator()];
  const begins = { name: 'Start reviewing' };
  for (const visitor of [desk, await site.as(project.owner.username)])
    expect((await visitor.open(path)).all('button', begins)).toHaveLength(0);
  const owners = await (await site.as(project.owner.username)).open(`${path}?review=1`);
  expect(owners.all('button', begins)).toHaveLength(0);

  let page = await desk.open(`${path}/versions?review=1`);
  expect(page.text()).toContain('You haven’t started reviewing this project');
  page = await send(page, 'Start reviewing');
  page.one('complementary', { name: 'Review' });
  expect(page.all('button', begins)).toHaveLength(0);
  expect((await other.open(`${path}?review=1`)).text()).toContain('is reviewing this project');
  await send(page, 'Approve');
  page = await desk.open(`${path}?review=1`);
  expect(page.text()).toContain('isn’t waiting for a decision');
  page.one('button', begins);
});
