import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

test('the dashboard edits links and tags of several projects, all or none', async () => {
  const { sql } = database;
  const me = await build.user(sql);
  const [one, two] = [await build.project(sql, { owner: me }), await build.project(sql, { owner: me })];
  await sql`update projects set categories = '{storage}', wiki_url = 'https://wiki.example/' where id = ${one.id}`;
  const { session } = await openSession(sql, { user_id: me.id, user_agent: null, now: new Date() });
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` };
  const send = async (json: Record<string, string>) => {
    const answer = await api.call('POST', '/_internal/projects/edit-together', { headers, json });
    return (await answer.json()) as { to?: string; details?: { code: string } };
  };
  const stored = async () =>
    await sql`select source_url, wiki_url, categories, additional_categories from projects
      where id = any(${[one.id, two.id]}) order by array_position(${[one.id, two.id]}::text[], id::text)`;
  const change = { source: 'https://git.example/x', clear_wiki: 'on', add: 'storage mobs' };
  const other = await build.project(sql);
  expect((await send({ ids: `${one.id} ${other.id}`, ...change })).details?.code).toBe('not_a_member');
  expect((await stored())[0]).toMatchObject({ source_url: null, wiki_url: 'https://wiki.example/' });
  expect(await send({ ids: `${one.id} ${two.id}`, ...change })).toEqual({
    to: '/dashboard/projects?edited=2',
  });
  expect(await stored()).toEqual([
    { source_url: change.source, wiki_url: null, categories: ['storage'], additional_categories: ['mobs'] },
    { source_url: change.source, wiki_url: null, categories: [], additional_categories: ['storage', 'mobs'] },
  ]);
  expect((await send({ ids: one.id, source: 'ftp://x' })).details?.code).toBe('invalid_input');
});
