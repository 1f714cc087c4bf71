import { beforeAll, describe, expect, test } from 'vitest';
import { max_tokens } from '#db/accounts/tokens/read.ts';
import type { PersonalAccessToken } from '#db/accounts/tokens/shape.ts';
import { scopesToNumber } from '#db/platform/people/scopes/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const day_ms = 86_400_000;
// with milliseconds that do not end with 0, which Postgres leaves out
const tomorrow = () => new Date(Math.floor(Date.now() / 1000) * 1000 + day_ms + 123).toISOString();
const scopes = scopesToNumber(['PROJECT_READ', 'USER_READ']);

let ada: build.BuiltUser;
let bob: build.BuiltUser;
let session = '';
let other = '';
beforeAll(async () => {
  [ada, bob] = [await build.user(database.sql), await build.user(database.sql)];
  const open = async ({ id }: { id: string }) =>
    (await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() })).session as string;
  [session, other] = [await open(ada), await open(bob)];
});

const list = async (token = session) =>
  (await (await api.call('GET', '/_internal/pat', { token })).json()) as PersonalAccessToken[];
const create = (json: unknown, token = session) => api.call('POST', '/_internal/pat', { token, json });

describe.each(['/_internal/pat', '/v2/pat'])('%s', (path) => {
  test('creates a token that works and is shown once', async () => {
    const answer = await api.call('POST', path, {
      token: session,
      json: { name: 'ci', scopes, expires: tomorrow() },
    });
    expect(answer.status).toBe(400); // three characters at least
    const made = (await (
      await api.call('POST', path, { token: session, json: { name: 'my ci', scopes, expires: tomorrow() } })
    ).json()) as PersonalAccessToken;
    expect(made).toMatchObject({ name: 'my ci', scopes, user_id: ada.id, last_used: null });
    expect((await api.call('GET', '/v2/user', { token: made.access_token! })).status).toBe(200);
    expect((await list())[0]).toEqual({ ...made, access_token: null, created: (await list())[0]?.created });
    expect(await list(other)).toEqual([]);
    expect((await api.call('DELETE', `${path}/${made.id}`, { token: session })).status).toBe(204);
    expect((await api.call('GET', '/v2/user', { token: made.access_token! })).status).toBe(401);
  });
});

test('refuses restricted scopes, a past date and broken values, and stores nothing', async () => {
  const before = await list();
  const bad = [
    { name: 'my ci', scopes: scopesToNumber(['USER_AUTH_WRITE']), expires: tomorrow() },
    { name: 'my ci', scopes, expires: new Date(0).toISOString() },
    { name: 'my ci', scopes, expires: 'soon' },
    { name: 'my ci', scopes: -1, expires: tomorrow() },
    { name: 'my ci', scopes: 1.5, expires: tomorrow() },
    { name: 'x'.repeat(256), scopes, expires: tomorrow() },
    { scopes, expires: tomorrow() },
    [],
  ];
  for (const json of bad) expect([json, (await create(json)).status]).toEqual([json, 400]);
  expect(await list()).toEqual(before);
});

test('changes only what is given, and only one’s own', async () => {
  const made = (await (
    await create({ name: 'to edit', scopes, expires: tomorrow() })
  ).json()) as PersonalAccessToken;
  const edit = (json: unknown, token: string) =>
    api.call('PATCH', `/_internal/pat/${made.id}`, { token, json });
  expect((await edit({ name: 'taken over' }, other)).status).toBe(204);
  const find = async () => (await list()).find(({ id }) => id === made.id);
  expect(await find()).toMatchObject({ name: 'to edit', scopes });
  expect((await edit({ name: 'edited' }, session)).status).toBe(204);
  expect(await find()).toMatchObject({ name: 'edited', scopes });
  const fewer = scopesToNumber(['USER_READ']);
  expect((await edit({ scopes: fewer }, session)).status).toBe(204);
  expect(await find()).toMatchObject({ name: 'edited', scopes: fewer });
  expect((await edit({ scopes: scopesToNumber(['PAT_CREATE']) }, session)).status).toBe(400);
  expect((await api.call('DELETE', `/_internal/pat/${made.id}`, { token: other })).status).toBe(204);
  expect(await find()).toBeDefined();
});

test('a token manages no tokens', async () => {
  const token = await build.token(database.sql, ada);
  expect((await api.call('GET', '/v2/pat', { token })).status).toBe(401);
  expect((await create({ name: 'more', scopes, expires: tomorrow() }, token)).status).toBe(401);
});

test(`at most ${max_tokens} tokens, also when they are asked for at once`, async () => {
  const count = (await list(other)).length;
  const rows = Array.from({ length: max_tokens - count - 1 }, (_, at) => at);
  for (const at of rows)
    await database.sql`
      insert into tokens (id, user_id, name, token_hash, scopes, expires)
      values (${`many${at}`}, ${bob.id}, 'filler', ${`hash${at}`}, 1, now() + interval '1 day')`;
  const answers = await Promise.all(
    [1, 2, 3].map(() => create({ name: 'one more', scopes, expires: tomorrow() }, other)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await list(other)).toHaveLength(max_tokens);
});
