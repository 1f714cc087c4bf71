import { describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { dataOf, jar, form as versionForm } from '../../testing/versions.ts';
import { countWritten, written_bytes_per_day } from './written-bytes.ts';

/** Texts of one account: by every route and form, as many bytes a day as the count says. */
const database = testDatabase();
const api = testApi(database);

const used = async (left: number): Promise<build.BuiltUser> => {
  const person = await build.user(database.sql);
  await countWritten(api.services, { user_id: person.id }, written_bytes_per_day - left);
  return person;
};

describe('what an account writes in a day', () => {
  test('is counted for messages of threads, and refused beyond the count with the time to wait', async () => {
    const { sql } = database;
    const owner = await used(3000);
    const project = await build.project(sql, { owner });
    const [{ thread_id } = { thread_id: '' }] = await sql<Array<{ thread_id: string }>>`
      select thread_id from projects where id = ${project.id}`;
    const token = await build.token(sql, owner);
    const say = async (length: number) =>
      await api.call('POST', `/v2/thread/${thread_id}`, {
        token,
        json: { body: { type: 'text', body: 'a'.repeat(length) } },
      });
    expect((await say(2000)).status).toBe(204);
    const refused = await say(2000);
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { details: { code: 'rate_limited' } },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await say(100)).status).toBe(204);
    const [{ count } = { count: 0 }] =
      await sql`select count(*)::int from thread_messages where thread_id = ${thread_id}`;
    expect(count).toBe(2);
  });

  test('is counted for forms of our pages and for what a version says of itself', async () => {
    const { sql } = database;
    const owner = await used(100);
    const project = await build.project(sql, { owner });
    const form = await api.call('POST', '/_internal/project/description', {
      token: await session(sql, owner),
      json: { project: project.id, body: 'a'.repeat(500), revision: 1 },
    });
    expect(form.status).toBe(429);
    const published = await api.call('POST', '/v2/version', {
      token: await build.token(sql, owner),
      body: versionForm(dataOf(project.id, { changelog: 'a'.repeat(500) }), {
        file: ['a.jar', await jar('a')],
      }),
    });
    expect(published.status).toBe(429);
  });

  test('is refused while the disk is nearly full, but for what is small', async () => {
    const { id: user_id } = await build.user(database.sql);
    const storage = { ...api.services.storage, space: async () => ({ free_bytes: 1000, total_bytes: 1e9 }) };
    const write = (bytes: number) => countWritten({ sql: database.sql, storage }, { user_id }, bytes);
    await expect(write(10_000)).rejects.toMatchObject({ code: 'storage_full' });
    await write(500);
  });
});
