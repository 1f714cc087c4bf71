import { beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '#db/platform/people/session.ts';
import { endOtherSessions } from '#db/platform/people/session-list.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
let ada: build.BuiltUser;
let bob: build.BuiltUser;
beforeAll(async () => {
  [ada, bob] = [await build.user(database.sql), await build.user(database.sql)];
});
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const open = async ({ id }: { id: string }, user_agent: string | null = firefox) =>
  (await openSession(database.sql, { user_id: id, user_agent, now: new Date() })) as Session & {
    session: string;
  };
const list = async (token: string) =>
  (await (await api.call('GET', '/_internal/session/list', { token })).json()) as Session[];

test('lists one’s own sessions without their tokens, and says which is this one', async () => {
  const [here, there] = [await open(ada), await open(ada, null)];
  await open(bob);
  const found = await list(here.session);
  expect(found.map(({ id }) => id).sort()).toEqual([here.id, there.id].sort());
  expect(found.every(({ session }) => session === null)).toBe(true);
  expect(found.find(({ current }) => current)).toMatchObject({
    id: here.id,
    os: 'Linux',
    platform: 'Firefox',
  });
  expect(JSON.stringify(found)).not.toContain(here.session);
  expect((await list(`Bearer ${here.session}`)).find(({ current }) => current)?.id).toBe(here.id);
});

test('ends one of one’s own sessions, and nobody else’s', async () => {
  const [here, there, theirs] = [await open(ada), await open(ada), await open(bob)];
  const end = (id: string) => api.call('DELETE', `/v2/session/${id}`, { token: here.session });
  expect((await end(there.id)).status).toBe(204);
  expect((await api.call('GET', '/v2/user', { token: there.session })).status).toBe(401);
  expect((await end(theirs.id)).status).toBe(204); // as if there were none
  expect((await api.call('GET', '/v2/user', { token: theirs.session })).status).toBe(200);
  expect((await end('unknown')).status).toBe(204);
});

test('ends all other sessions', async () => {
  const here = await open(ada);
  await open(ada);
  const now = new Date();
  await database.sql.begin((tx) =>
    endOtherSessions(tx, {
      ...{ actor: { ...build.actorFor(ada), proved: now.toISOString() }, token: here.session, now },
    }),
  );
  expect((await list(here.session)).map(({ id }) => id)).toEqual([here.id]);
});

test('ending another session needs a recent proof, ending one’s own does not', async () => {
  const [here, there] = [await open(ada), await open(ada)];
  const old = new Date(Date.now() - 11 * 60_000);
  await database.sql`update sessions set proved = ${old} where public_id = ${here.id}`;
  const end = (id: string) => api.call('DELETE', `/v2/session/${id}`, { token: here.session });
  expect(await (await end(there.id)).json()).toMatchObject({ details: { code: 'proof_required' } });
  expect((await end(here.id)).status).toBe(204);
});

test('an admin ends every session of a user, others cannot', async () => {
  const [theirs, also] = [await open(bob), await open(bob)];
  const end = async (token: string) =>
    (await api.call('DELETE', `/_internal/user/${bob.id}/sessions`, { token })).status;
  expect(await end((await open(ada)).session)).toBe(401);
  const admin = await build.user(database.sql, { role: 'admin' });
  expect(await end(await build.token(database.sql, admin))).toBe(401);
  expect(await end((await open(admin)).session)).toBe(204);
  for (const { session } of [theirs, also])
    expect((await api.call('GET', '/v2/user', { token: session })).status).toBe(401);
});

test('a personal access token sees no sessions', async () => {
  const token = await build.token(database.sql, ada);
  expect((await api.call('GET', '/v2/session/list', { token })).status).toBe(401);
  expect((await api.call('GET', '/v2/session/list')).status).toBe(401);
});
