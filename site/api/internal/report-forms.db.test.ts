import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

async function browserOf(user_id: string) {
  const { session } = await openSession(database.sql, { user_id, user_agent: null, now: new Date() });
  return { cookie: `auth-token=${session}`, 'sec-fetch-site': 'same-origin' };
}
const report = async (user_id: string, json: object) =>
  await api.call('POST', '/_internal/reports/create', {
    headers: await browserOf(user_id),
    json: { item_type: 'project', report_type: 'spam', body: 'The same text ten times.', ...json },
  });
const look = async (user_id: string, type: string, item: string) =>
  await (
    await api.call('GET', `/_internal/reports/item?${new URLSearchParams({ type, item })}`, {
      headers: await browserOf(user_id),
    })
  ).json();

test('a project is reported by its link, once while the report is open', async () => {
  const { sql } = database;
  const [project, reader] = [await build.project(sql), await build.user(sql)];
  const link = `http://localhost/mod/${project.slug}`;
  const answer = await report(reader.id, { item: link });
  const { to } = (await answer.json()) as { to: string };
  expect(to).toMatch(/^\/dashboard\/report\/\w+\?new=1$/);
  const [row] = await sql`select project_id, reporter from reports where reporter = ${reader.id}`;
  expect(row).toEqual({ project_id: project.id, reporter: reader.id });

  const again = await report(reader.id, { item: project.id });
  expect(await again.json()).toMatchObject({ details: { code: 'report_open', fields: [{ field: 'item' }] } });
  expect(await look(reader.id, 'project', project.id)).toMatchObject({
    open_report: expect.stringMatching(/^\w+$/),
  });
  await sql`update reports set closed = true where reporter = ${reader.id}`;
  expect((await report(reader.id, { item: project.id })).status).toBe(200);
});

test('versions and users are found too; what is hidden is as unknown as what never was', async () => {
  const { sql } = database;
  const [project, hidden] = [await build.project(sql), await build.project(sql, { status: 'private' })];
  const [version, reader] = [await build.version(sql, project), await build.user(sql)];
  expect(await look(reader.id, 'version', version.id)).toMatchObject({
    item: { of: expect.stringContaining('Project') },
  });
  expect(await look(reader.id, 'user', reader.username.toUpperCase())).toMatchObject({
    item: { name: reader.username },
  });
  const none = { item: null, open_report: null };
  for (const [type, item] of [
    ['project', hidden.id],
    ['version', 'not an id'],
    ['user', 'nobody-at-all'],
    ['project', '///'],
  ] as const)
    expect(await look(reader.id, type, item)).toEqual(none);
  const refused = await report(reader.id, { item: hidden.id });
  expect(await refused.json()).toMatchObject({
    details: { code: 'report_item_unknown', fields: [{ field: 'item' }] },
  });
});

test('what is missing is said beside its field', async () => {
  const reader = await build.user(database.sql);
  const answer = await report(reader.id, { item: '', report_type: 'none', body: ' ' });
  expect(await answer.json()).toMatchObject({
    details: { fields: [{ field: 'item' }, { field: 'report_type' }, { field: 'body' }] },
  });
});
