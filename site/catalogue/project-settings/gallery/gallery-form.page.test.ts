import sharp from 'sharp';
import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../../testing/fill.ts';
import type { Page } from '../../../testing/page.ts';
import { testSite } from '../../../testing/test-site.ts';

const database = testDatabase();
const site = testSite(database);

const picture = async (name: string, background: string): Promise<File> => {
  const image = sharp({ create: { width: 800, height: 450, channels: 3, background } });
  return new File([new Uint8Array(await image.png().toBuffer())], name, { type: 'image/png' });
};
const rows = (page: Page): Element[] =>
  page.all('listitem', { within: page.one('list', { name: 'Images in order' }) });

test('without scripts one picture at a time is added, and moved by its buttons', async () => {
  const project = await build.project(database.sql, { project_types: ['mod'] });
  await build.version(database.sql, project);
  let page = await (await site.as(project.owner.username)).open(`/mod/${project.slug}/settings/gallery`);
  page = await send(page, 'Add image', { 'Add images': await picture('dawn.png', '#d96') });
  expect(rows(page)).toHaveLength(1);
  page = await send(page, 'Add image', { 'Add images': await picture('dusk.png', '#649') });
  expect(rows(page)).toHaveLength(2);
  expect(page.text(rows(page)[0])).toContain('Featured');
  page = await send(page, /up/i, {}, { within: rows(page)[1]! });
  expect(page.text(rows(page)[1])).toContain('Featured');
});
