import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { field, send, shownIn } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

const database = testDatabase();
const site = testSite(database);

test('without scripts a webhook is created, and what was typed stays after a mistake', async () => {
  const project = await build.project(database.sql, { project_types: ['mod'] });
  await build.version(database.sql, project);
  const owner = await site.as(project.owner.username);
  let page = await owner.open(`/mod/${project.slug}/settings/webhooks`);
  page = await send(page, 'Create webhook', { Name: 'Chat', URL: 'https://localhost/' });
  expect(page.text()).toContain('Enter a public URL');
  expect(shownIn(field(page, 'Name'))).toBe('Chat');
  page = await send(page, 'Create webhook', { URL: 'https://discord.com/api/webhooks/1/x' });
  expect(shownIn(field(page, 'Format'))).toBe('discord');
  // Discord takes no signature, so there is no secret to copy
  expect(page.text()).not.toContain('whsec_');
  page = await owner.open(`/mod/${project.slug}/settings/webhooks`);
  page = await send(page, 'Create webhook', { Name: 'Build', URL: 'https://build.example.org/hook' });
  expect(page.text()).toContain('whsec_');
});
