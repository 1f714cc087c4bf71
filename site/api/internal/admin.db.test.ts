import { describe, expect, it } from 'vitest';
import { affectedBy } from '#db/discovery/search/documents/affected.ts';
import { eventsAfter, latestCursor } from '#db/platform/events/read.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const key = 'a key of sixteen'.replaceAll(' ', '-');
const api = testApi(database, { ADMIN_KEY: key });
const closed = testApi(database);
const post = async (path: string, headers: Record<string, string>, to = api) =>
  await to.call('POST', `/_internal/admin/_force_reindex${path}`, { headers });

describe('POST admin/_force_reindex', () => {
  it('indexes everything or one project again', async () => {
    const project = await build.project(database.sql);
    const before = await latestCursor(database.sql);
    expect((await post(`/${project.slug}`, { 'modrinth-admin': key })).status).toBe(204);
    const [one] = await eventsAfter(database.sql, before);
    expect([...(await affectedBy(database.sql, [one!])).projects]).toEqual([project.id]);
    expect((await post('', { 'modrinth-admin': key })).status).toBe(204);
    const events = await eventsAfter(database.sql, before);
    expect((await affectedBy(database.sql, events.slice(1))).everything).toBe(true);
    expect((await post('/unknown-one', { 'modrinth-admin': key })).status).toBe(404);
  });

  it('needs the key', async () => {
    const events = async () => (await database.sql`select 1 from events`).length;
    const before = await events();
    const admin = await build.token(database.sql, await build.user(database.sql, { role: 'admin' }));
    const wrong: Array<Record<string, string>> = [
      {},
      { 'modrinth-admin': `${key}x` },
      { authorization: admin },
      { authorization: key },
    ];
    for (const headers of wrong)
      for (const path of ['', '/x']) expect((await post(path, headers)).status).toBe(401);
    for (const path of ['', '/x']) {
      const answer = await post(path, { 'modrinth-admin': key }, closed);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'not_found' }]);
    }
    expect(await events()).toBe(before);
  });
});
