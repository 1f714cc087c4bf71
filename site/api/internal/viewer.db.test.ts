import { expect, test } from 'vitest';
import { notify } from '#db/notifications/write.ts';
import { openSession } from '#db/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** What every page asks about its user: one call, three queries, and the number of unread notifications. */
const database = testDatabase();
const api = testApi(database);

async function signedIn() {
  const { id } = await build.user(database.sql);
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return { id, headers: { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` } };
}

test('a page asks three queries about its user at most', async () => {
  const { headers } = await signedIn();
  const project = await build.project(database.sql);
  const counting = countingQueries(database.sql);
  const services = api.services as { sql: typeof counting.sql };
  services.sql = counting.sql;
  const json = { project: project.id, projects: [project.id] };
  const answer = await api.call('POST', '/_internal/viewer', { headers, json });
  services.sql = database.sql;
  expect(answer.status).toBe(200);
  expect(counting.count()).toBeLessThanOrEqual(3);
});

test('says how many notifications of the site are unread, and stops at 100', async () => {
  const { id, headers } = await signedIn();
  const unread = async () => {
    const answer = await api.call('POST', '/_internal/viewer', { headers, json: {} });
    return ((await answer.json()) as { unread: number }).unread;
  };
  expect(await unread()).toBe(0);
  const body = { project_id: '11111111', old_status: 'processing', new_status: 'approved' };
  const report = { report_id: '11111111', closed: true };
  await notify(database.sql, [id], { type: 'status_change', body });
  await notify(database.sql, [id], { type: 'report_status_updated', body: report }); // only by mail
  expect(await unread()).toBe(1);
  await database.sql`update notifications set read = true where user_id = ${id}`;
  expect(await unread()).toBe(0);
  for (let i = 0; i < 101; i++) await notify(database.sql, [id], { type: 'status_change', body });
  expect(await unread()).toBe(100);
});
