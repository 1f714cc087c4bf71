import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

/** A project is taken down, its member answers, and staff bring it back; outsiders see only that it is gone. */
const database = testDatabase();
const site = testSite(database);

test('a takedown is answered by a member and ended by staff', async () => {
  const project = await build.project(database.sql, { project_types: ['mod'], title: 'Disputed stones' });
  await build.version(database.sql, project);
  const path = `/mod/${project.slug}`;
  const moderator = await build.user(database.sql, { role: 'moderator' });
  const [staff, member] = [await site.as(moderator.username), await site.as(project.owner.username)];

  let page = await staff.open(`/admin/takedowns/new?project=${project.slug}`);
  page = await send(page, 'Take down');
  expect(page.text()).toContain('This field is required.');
  page = await send(page, 'Take down', {
    Reference: 'N-2026/77',
    Reason: 'Copies the textures of another project.',
  });
  expect(page.text()).toContain('Check that this is the right project');
  expect(page.text()).toContain('Disputed stones');
  expect((await site.open(path)).status).toBe(200);
  page = await send(page, 'Take down', { 'This is the right project. Hide it right away.': true });
  expect(page.text()).toContain('Project taken down');
  const takedown = page.url.split('?')[0]!;
  expect((await site.open(path)).status).toBe(451);
  expect((await site.open(takedown)).url).toMatch(/^\/auth\/sign-in/);
  expect((await member.open(takedown)).status).toBe(404);

  page = await member.open(`${path}/moderation`);
  expect(page.text()).toContain('N-2026/77');
  page = await send(page, 'Send counter-notice', {
    'Counter-notice': 'I drew them all myself; the sources are in my repository.',
  });
  expect(page.text()).toContain('Confirm the statement first.');
  const statement = page.one('checkbox', { name: /To the best of my knowledge this is true/ });
  page = await page.submit(page.one('button', { name: 'Send counter-notice' }), {
    [statement.getAttribute('name')!]: true,
  });
  expect(page.text()).toContain('Moderators will decide');

  page = await staff.open('/admin/takedowns?view=answered&q=N-2026');
  page = await page.follow(page.one('link', { name: 'Disputed stones' }));
  expect(page.text()).toContain('I drew them all myself');
  page = await send(page, 'Restore the project');
  expect(page.text()).toContain('Project restored');
  await expect.poll(async () => (await site.open(path)).status).toBe(200);
  (await site.open('/legal/transparency')).one('heading', { name: 'Takedowns' });
});
