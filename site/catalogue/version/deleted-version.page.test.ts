import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testSite } from '../../testing/test-site.ts';

/** What the addresses of a deleted version show. */
const database = testDatabase();
const site = testSite(database);

test('the page of a deleted version says what happened, in each language, and leads to the others', async () => {
  const { sql } = database;
  const project = await build.project(sql, { project_types: ['mod'] });
  const { id } = await build.version(sql, project, { files: [{ filename: 'a.jar' }] });
  await build.version(sql, project, { version_number: '2.0.0' });
  await sql`delete from versions where id = ${id}`;
  for (const named of ['1.0.0', id, '1.0.0-new']) {
    const page = await site.open(`/mod/${project.slug}/version/${named}`);
    expect([named, page.status]).toEqual([named, 410]);
    page.one('heading', { name: 'Version 1.0.0 was deleted' });
    expect(page.text(page.main)).toContain('The project’s team deleted it on ');
    expect(page.one('link', { name: 'All versions' }).getAttribute('href')).toBe(
      `/mod/${project.slug}/versions`,
    );
    const robots = (await (await site.fetch(`/mod/${project.slug}/version/${named}`)).text()).match(
      /<meta name="robots"[^>]*>/,
    );
    expect(robots?.[0]).toContain('noindex');
  }
  expect((await site.fetch(`/mod/${project.slug}/version/1.0.0?hl=de-DE`)).status).toBe(410);
  expect((await site.fetch(`/mod/${project.slug}/version/1.0.1`)).status).toBe(404);
  expect((await site.fetch(`/data/${project.id}/versions/${id}/a.jar`)).status).toBe(410);
  expect((await site.fetch(`/data/${project.id}/versions/${id}/b.jar`)).status).toBe(404);
  await sql`update deleted_versions set by_staff = true`;
  await sql`update projects set status = 'private' where id = ${project.id}`;
  await expect.poll(async () => (await site.fetch(`/mod/${project.slug}/version/1.0.0`)).status).toBe(404);
  expect((await site.fetch(`/data/${project.id}/versions/${id}/a.jar`)).status).toBe(404);
});
