import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { serversById } from '#db/hosting/servers/read.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

test('a plain form starts a server of its owner, and nobody else’s', async () => {
  const { sql } = database;
  const owner = await build.user(sql);
  const id = await server(sql, owner, {});
  await sql`update servers set lifecycle = 'ready' where id = ${id}`;
  const send = async (user: { id: string }, action: string) => {
    const { session } = await openSession(sql, { user_id: user.id, user_agent: null, now: new Date() });
    const answer = await api.call('POST', '/_internal/servers/power', {
      body: String(new URLSearchParams({ server_id: id, op_id: randomUUID(), action })),
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `auth-token=${session}`,
      },
    });
    return [answer.status, answer.headers.get('location')];
  };
  const wanted = async () => (await serversById(sql, [id], new Date()))[0]?.view.power_wanted;
  expect(await send(await build.user(sql), 'start')).toEqual([
    303,
    `/servers/manage/${id}?error=server_not_found`,
  ]);
  expect(await wanted()).toBe('off');
  expect(await send(owner, 'start')).toEqual([303, `/servers/manage/${id}`]);
  expect(await wanted()).toBe('on');
});
