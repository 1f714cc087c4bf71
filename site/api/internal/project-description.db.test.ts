import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

/** The headers of the browser of a user. */
async function browserOf(user_id: string) {
  const { session } = await openSession(database.sql, { user_id, user_agent: null, now: new Date() });
  const origin = api.services.settings.SITE_URL;
  return { cookie: `auth-token=${session}`, origin, 'sec-fetch-site': 'same-origin' };
}
const save = (headers: Record<string, string>, json: object) =>
  api.call('POST', '/_internal/project/description', { headers, json });
const bodyOf = async (id: string) =>
  (
    await database.sql<
      Array<{ body: string; body_html: string }>
    >`select body, body_html from projects where id = ${id}`
  )[0]!;

test('a description of the full length is saved, with the line ends of browsers made ours', async () => {
  const project = await build.project(database.sql);
  const headers = await browserOf(project.owner.id);
  const long = `# Stones\r\n\r\n${'é'.repeat(65_536 - 10)}`;
  const answer = await save(headers, { project: project.id, body: long });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { to: `/project/${project.id}/settings/description?saved=1` },
  ]);
  expect((await bodyOf(project.id)).body).toBe(long.replaceAll('\r\n', '\n'));
  expect((await bodyOf(project.id)).body_html).toContain('<h1');

  // as browsers without scripts send it: three signs for each byte
  const { status } = await api.call('POST', '/_internal/project/description', {
    headers,
    body: new URLSearchParams({ project: project.id, body: long }),
  });
  expect(status).toBe(303);
});

test('a longer one is refused beside the field, and nothing is saved', async () => {
  const project = await build.project(database.sql, { body: 'Before' });
  const headers = await browserOf(project.owner.id);
  const answer = await save(headers, { project: project.id, body: 'x'.repeat(65_537) });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    details: { fields: [{ field: 'body', text: expect.stringContaining('65,536') }] },
  });
  expect((await save(headers, { project: project.id, body: 'x'.repeat(900_000) })).status).toBe(413);
  expect((await bodyOf(project.id)).body).toBe('Before');
});

test('members without the right to edit the text are refused, and so is everybody else', async () => {
  const { sql } = database;
  const project = await build.project(sql, { body: 'Before' });
  const [member, stranger] = [await build.user(sql), await build.user(sql)];
  await build.member(sql, project.team, member, { permissions: 4 });
  for (const [user, code] of [
    [member, 'permission_missing'],
    [stranger, 'not_found'],
  ] as const) {
    const answer = await save(await browserOf(user.id), { project: project.id, body: 'After' });
    expect(await answer.json()).toMatchObject({ details: { code } });
  }
  expect((await bodyOf(project.id)).body).toBe('Before');
});

test('the preview is what the page will show, for accounts only, within the limit', async () => {
  const user = await build.user(database.sql);
  const headers = await browserOf(user.id);
  const preview = (text: string, given = headers) =>
    api.call('POST', '/_internal/preview', { headers: given, json: { text } });
  const answer = await preview('**Stones** <script>alert(1)</script> <img src=x onerror=alert(1)>');
  const { html } = (await answer.json()) as { html: string };
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(html).toContain('<strong>Stones</strong>');
  expect(html).not.toMatch(/script|onerror/);
  expect((await preview('x'.repeat(65_537))).status).toBe(400);
  expect((await preview('**Stones**', {} as typeof headers)).status).toBe(401);
});
