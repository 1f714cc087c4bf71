import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const now = () => new Date();
const session = async ({ id }: { id: string }) =>
  (await openSession(database.sql, { user_id: id, user_agent: null, now: now() })).session as string;
const read = async (path: string, token?: string) => {
  const answer = await api.call('GET', path, token ? { token } : {});
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

let person: build.BuiltUser;
let moderator: build.BuiltUser;
let admin: build.BuiltUser;
beforeAll(async () => {
  person = await build.user(database.sql, { username: 'Wren.Fields' });
  moderator = await build.user(database.sql, { role: 'moderator' });
  admin = await build.user(database.sql, { role: 'admin' });
  await database.sql`insert into moderation_notes ${database.sql({ user_id: person.id, notes: 'kind', user_rating: 2 })}`;
});

describe('GET /v3/user', () => {
  test('shows the account of the token, and needs USER_READ', async () => {
    expect((await read('/v3/user')).status).toBe(401);
    expect((await read('/v3/user', await build.token(database.sql, person, ['PROJECT_READ']))).status).toBe(
      401,
    );
    const { status, body } = await read('/v3/user', await build.token(database.sql, person));
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: person.id, allow_friend_requests: true, has_totp: false });
    expect(body).not.toHaveProperty('name');
    expect(body).not.toHaveProperty('moderation_notes');
  });
});

describe('GET /v3/user/{id}', () => {
  test.each([
    ['a visitor', null, false, false],
    ['the user with a token', 'person', false, false],
    ['a moderator', 'moderator', false, true],
    ['an admin with a token', 'admin', false, true],
    ['an admin in a session', 'admin session', true, true],
  ] as const)('for %s', async (_who, who, is_private, sees_notes) => {
    const token = {
      person: () => build.token(database.sql, person),
      moderator: () => build.token(database.sql, moderator),
      admin: () => build.token(database.sql, admin),
      'admin session': () => session(admin),
    };
    const { body } = await read('/v3/user/wren.fields', who ? await token[who]() : undefined);
    expect(body).toMatchObject({ id: person.id, allow_friend_requests: is_private ? true : null });
    expect(body.email).toBe(is_private ? 'Wren.Fields@example.test' : null);
    if (sees_notes)
      expect(body.moderation_notes).toMatchObject({ notes: 'kind', user_rating: 2, version: 1 });
    else expect(body).not.toHaveProperty('moderation_notes');
  });

  test('shows a moderator without USER_READ no notes', async () => {
    const token = await build.token(database.sql, moderator, ['PROJECT_READ']);
    expect((await read(`/v3/user/${person.id}`, token)).body).not.toHaveProperty('moderation_notes');
  });

  test.each(['nobody', '%00', 'a'.repeat(300), '%ED%A0%80'])('answers 404 for %s', async (id) => {
    expect(await read(`/v3/user/${id}`)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});

describe('GET /v3/users', () => {
  test('answers known users in the order of the request', async () => {
    const ids = JSON.stringify([admin.id, 'nobody', 'WREN.FIELDS', person.id]);
    const { body } = await read(`/v3/users?ids=${encodeURIComponent(ids)}`);
    expect((body as unknown as Array<{ id: string }>).map(({ id }) => id)).toEqual([admin.id, person.id]);
  });
  test.each(['', '?ids=x', '?ids={}', '?ids=[1]'])('refuses %s', async (query) => {
    expect((await read(`/v3/users${query}`)).status).toBe(400);
  });
});

describe('GET /v3/users/search', () => {
  const search = async (query: string) =>
    (await read(`/v3/users/search?query=${encodeURIComponent(query)}`)).body as unknown as Array<{
      username: string;
    }>;
  beforeAll(async () => {
    for (const username of ['oak_1', 'oakx1', 'OAK', 'oak-tree', 'pine'])
      await build.user(database.sql, { username });
    for (let i = 0; i < 30; i++) await build.user(database.sql, { username: `many${i}` });
  });

  test('finds by the beginning, the exact name first', async () => {
    expect((await search('oak')).map(({ username }) => username)).toEqual([
      'OAK',
      'oak-tree',
      'oak_1',
      'oakx1',
    ]);
    const [found] = await search('PINE');
    expect(Object.keys(found!).sort()).toEqual(['avatar_url', 'id', 'username']);
  });
  test('takes wildcards literally', async () => {
    expect((await search('oak_')).map(({ username }) => username)).toEqual(['oak_1']);
    for (const text of ['%', 'o%', '_', '\\', '', '\0', 'two words'])
      expect(await search(text), text).toEqual([]);
  });
  test('gives at most 25', async () => {
    expect(await search('many')).toHaveLength(25);
  });
});

describe('GET /v3/user_email', () => {
  test('is for admins in a session', async () => {
    const path = '/v3/user_email?email=wren.fields@EXAMPLE.test';
    expect((await read(path)).status).toBe(401);
    expect((await read(path, await build.token(database.sql, admin))).status).toBe(401);
    expect((await read(path, await session(moderator))).status).toBe(401);
    expect((await read(path, await session(admin))).body).toMatchObject({
      id: person.id,
      email: 'Wren.Fields@example.test',
    });
    expect((await read('/v3/user_email?email=nobody', await session(admin))).status).toBe(404);
    expect((await read('/v3/user_email?email=%00', await session(admin))).status).toBe(404);
    expect((await read('/v3/user_email', await session(admin))).status).toBe(400);
  });
});

describe('GET /v3/user/{id}/projects', () => {
  test('answers projects of v3, hidden ones for members only', async () => {
    const { slug } = await build.project(database.sql, { owner: person, downloads: 5 });
    await build.project(database.sql, { owner: person, status: 'draft' });
    const list = async (token?: string) =>
      (await read(`/v3/user/${person.username}/projects`, token)).body as unknown as object[];
    expect(await list()).toMatchObject([{ slug, project_types: [], link_urls: {} }]);
    expect(await list(await build.token(database.sql, person, ['USER_READ']))).toHaveLength(1);
    expect(await list(await build.token(database.sql, person))).toHaveLength(2);
    expect((await read('/v3/user/nobody/projects')).status).toBe(404);
  });
});
