import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { imageKey } from './image-address.ts';
import { createRenderer, RENDERER_VERSION } from './render.ts';
import { rerenderTexts } from './rerender.ts';

const database = testDatabase();
const renderer = createRenderer(database.settings);
afterAll(() => renderer.close());

test('renders texts of another renderer version again, batch by batch, and leaves others alone', async () => {
  const { sql } = database;
  await sql`insert into teams (id) values ('team0001')`;
  await sql`insert into users (id, username) values ('user0001', 'ann')`;
  for (const [id, version] of [
    ['old00001', 0],
    ['old00002', 0],
    ['new00001', RENDERER_VERSION],
  ] as const) {
    await sql`
      insert into projects (id, slug, team, title, description, body, body_html, body_version, status, license_id, thread_id)
      values (${id}, ${id}, 'team0001', 't', 'd', '*a*', 'before', ${version}, 'approved', 'MIT', 'thread01')`;
  }
  await sql`
    insert into versions (id, project_id, author_id, name, version_number, changelog, version_type, loaders, game_versions)
    values ('version1', 'old00001', 'user0001', 'n', '1', '**b**', 'release', '{fabric}', '{1.21}')`;
  expect(await rerenderTexts(sql, renderer, 1)).toBe(2);
  expect(await rerenderTexts(sql, renderer, 1)).toBe(1);
  expect(await rerenderTexts(sql, renderer, 1)).toBe(0);
  expect(await sql`select id, body_html, body_version from projects order by id`).toEqual([
    { id: 'new00001', body_html: 'before', body_version: RENDERER_VERSION },
    { id: 'old00001', body_html: '<p><em>a</em></p>', body_version: RENDERER_VERSION },
    { id: 'old00002', body_html: '<p><em>a</em></p>', body_version: RENDERER_VERSION },
  ]);
  expect((await sql`select changelog_html from versions`)[0]).toEqual({
    changelog_html: '<p><strong>b</strong></p>',
  });
});

test('each installation signs URLs of external images with its own key', async () => {
  const key = await imageKey(database.sql);
  expect(key.length).toBeGreaterThan(60);
  const signing = createRenderer(database.settings, database.sql);
  const [one, other] = [
    await signing.render('![](http://e.org/a)'),
    await renderer.render('![](http://e.org/a)'),
  ];
  await signing.close();
  expect(one.html).toMatch(/s=[\w-]{22}"/);
  expect(one.html).not.toBe(other.html);
});
