import { expect, test } from 'vitest';
import { changeStatus } from '#db/catalogue/projects/change-status.ts';
import { lockProject } from '#db/catalogue/projects/locked.ts';
import { projectRef } from '#db/catalogue/projects/read.ts';
import { operator } from '#db/platform/people/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testSite } from '../../testing/test-site.ts';

/** From a project that is sent by the API to its page, and away again. */
const database = testDatabase();
// the style sheet of ads is none of the build
const site = testSite(database, { ADS: 'off' });

/** Publishes a mod as tools of creators do; gives the bytes of its file. */
async function publish(token: string, slug: string, title: string): Promise<Buffer> {
  const version = {
    name: 'First stones',
    version_number: '1.0.0',
    changelog: 'Everything is *new*.',
    dependencies: [],
    game_versions: ['1.21.1'],
    version_type: 'release',
    loaders: ['fabric'],
    featured: true,
    file_parts: ['jar'],
  };
  const data = {
    slug,
    title,
    description: 'A path of stones across the marsh',
    body: '## Why\n\nBecause the marsh is **wet**.',
    project_type: 'mod',
    client_side: 'required',
    server_side: 'optional',
    categories: ['utility'],
    license_id: 'MIT',
    initial_versions: [version],
  };
  const manifest = JSON.stringify({ schemaVersion: 1, id: slug, version: '1.0.0', name: title });
  const jar = await zipOf({ 'fabric.mod.json': manifest });
  const body = new FormData();
  body.append('data', JSON.stringify(data));
  body.append('jar', new File([new Uint8Array(jar)], `${slug}.jar`, { type: 'application/java-archive' }));
  const answer = await site.fetch('/v2/project', { method: 'POST', headers: { authorization: token }, body });
  expect(answer.status, await answer.text()).toBe(200);
  return jar;
}

const approve = (slug: string): Promise<void> =>
  database.sql.begin(async (tx) => {
    const project = await lockProject(tx, (await projectRef(tx, slug))!.id, operator);
    await changeStatus(tx, operator, project, { to: 'approved', api: 2, now: new Date() });
  });

test('a creator publishes with a token and finds the project in search', async () => {
  const creator = await build.user(database.sql);
  const title = 'Causeway of slate';
  const jar = await publish(await build.token(database.sql, creator), 'causeway', title);

  const hidden = await site.open('/mod/causeway');
  hidden.one('heading', { name: 'Project not found' });
  let page = await (await site.as(creator.username)).open('/mod/causeway');
  page.one('heading', { name: title, level: 1 });
  const notes = [...page.document.querySelectorAll('[role=note]')].map((note) => page.text(note));
  expect(notes.join()).toContain('Under review');

  expect((await site.open('/mods?q=causeway')).all('link', { name: /Causeway of slate/ })).toHaveLength(0);
  await approve('causeway');
  await site.consumeEvents();
  await expect
    .poll(async () => (await site.open('/mods?q=causeway')).all('link', { name: /Causeway of slate/ }))
    .toHaveLength(1);
  page = await site.open('/mods?q=causeway');
  page = await page.follow(page.all('link', { name: /Causeway of slate/ })[0]!);
  page.one('heading', { name: title, level: 1 });
  expect(page.text()).not.toContain('Under review');
  page = await page.follow(page.all('link', { name: /^Versions/ })[0]!);
  const [row] = page
    .all('row')
    .filter((one) => page.all('link', { name: /^Download/, within: one }).length > 0);
  const [download] = page.all('link', { name: /^Download/, within: row! });
  const file = await site.fetch(download!.getAttribute('href')!);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(jar);
  page = await page.follow(page.one('link', { name: /First stones/ }));
  expect(page.text()).toContain('Everything is new.');
});

test('a hidden project disappears for visitors at once', async () => {
  const creator = await build.user(database.sql);
  const authorization = await build.token(database.sql, creator);
  await publish(authorization, 'culvert', 'Culvert');
  await approve('culvert');
  const status = async () => (await site.fetch('/mod/culvert')).status;
  await expect.poll(status).toBe(200);
  const hidden = await site.fetch('/v2/project/culvert', {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'private' }),
  });
  expect(hidden.status).toBe(204);
  await expect.poll(status, { timeout: 2000, interval: 50 }).toBe(404);
});
