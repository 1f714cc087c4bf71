import { expect, test } from 'vitest';
import { RENDERER_VERSION } from '../../platform/text/render.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { changelogHtml, changelogsHtml } from './changelog.ts';

const database = testDatabase();

test('gives changelogs as HTML by version, as on the version page, and empty ones for none', async () => {
  const project = await build.project(database.sql);
  const written = await build.version(database.sql, project, {
    changelog: '*Faster*',
    changelog_html: '<p><em>Faster</em></p>',
  });
  await database.sql`update versions set changelog_version = ${RENDERER_VERSION} where id = ${written.id}`;
  const silent = await build.version(database.sql, project, { changelog: '', changelog_html: '' });
  const found = await changelogsHtml(database.sql, [written.id, silent.id, 'neverwas']);
  expect(Object.fromEntries(found)).toEqual({
    [written.id]: '<p><em>Faster</em></p>',
    [silent.id]: '',
  });
  expect(found.get(written.id)).toBe(await changelogHtml(database.sql, written.id));
  expect((await changelogsHtml(database.sql, [])).size).toBe(0);
});

test('shows the source of a changelog whose renderer version is not safe', async () => {
  const { id } = await build.version(database.sql, await build.project(database.sql), {
    changelog: '<b>Old</b>',
    changelog_html: '<b>Old</b>',
  });
  await database.sql`update versions set changelog_version = 0 where id = ${id}`;
  expect((await changelogsHtml(database.sql, [id])).get(id)).toBe('<pre>&lt;b&gt;Old&lt;/b&gt;</pre>');
});
