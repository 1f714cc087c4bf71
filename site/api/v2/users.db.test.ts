import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const privateKeys = [
  'auth_providers',
  'email',
  'email_verified',
  'has_password',
  'has_totp',
  'payout_data',
  'github_id',
];

let person: build.BuiltUser;
let admin: build.BuiltUser;
const session = async ({ id }: { id: string }) =>
  (await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() })).session as string;
const read = async (path: string, token?: string) => {
  const answer = await api.call('GET', path, token ? { token } : {});
  return {
    status: answer.status,
    body: answer.status === 404 ? null : ((await answer.json()) as Record<string, unknown>),
  };
};

beforeAll(async () => {
  person = await build.user(database.sql, { username: 'Wren.Fields' });
  admin = await build.user(database.sql, { role: 'admin' });
});

describe('GET /user', () => {
  test.each([
    ['no token', null, 401],
    ['USER_READ', ['USER_READ'], 200],
    ['another scope', ['USER_READ_EMAIL', 'PROJECT_READ'], 401],
  ] as const)('with %s answers', async (_name, scopes, status) => {
    const token = scopes ? await build.token(database.sql, person, scopes) : undefined;
    expect((await read('/v2/user', token)).status).toBe(status);
  });

  test('shows the e-mail address only with USER_READ_EMAIL and payouts only with PAYOUTS_READ', async () => {
    const narrow = await read('/v2/user', await build.token(database.sql, person, ['USER_READ']));
    expect(narrow.body).toMatchObject({
      id: person.id,
      username: 'Wren.Fields',
      name: null,
      email: null,
      payout_data: null,
      has_totp: false,
    });
    const wide = await read(
      '/v2/user',
      await build.token(database.sql, person, ['USER_READ', 'USER_READ_EMAIL', 'PAYOUTS_READ']),
    );
    expect(wide.body).toMatchObject({
      email: 'Wren.Fields@example.test',
      email_verified: true,
      payout_data: { balance: 0 },
    });
  });

  test('accepts the session cookie from our own pages only', async () => {
    const cookie = `auth-token=${await session(person)}`;
    const call = async (site: string) =>
      (await api.call('GET', '/v2/user', { headers: { cookie, 'sec-fetch-site': site } })).status;
    expect([await call('same-origin'), await call('cross-site')]).toEqual([200, 401]);
  });
});

describe('GET /user/{id}', () => {
  test('finds by id and by name in any case, without private fields', async () => {
    for (const text of [person.id, 'Wren.Fields', 'wren.fields', 'WREN.FIELDS']) {
      const { status, body } = await read(`/v2/user/${text}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: person.id, username: 'Wren.Fields', role: 'developer', badges: 0 });
      for (const key of privateKeys) expect(body?.[key], key).toBeNull();
    }
  });

  test.each([
    ['a stranger', 'developer', 'session', null],
    ['a moderator', 'moderator', 'session', null],
    ['an admin with a token', 'admin', 'token', null],
    ['an admin in a session', 'admin', 'session', 'Wren.Fields@example.test'],
  ] as const)('shows %s the permitted fields', async (_name, role, kind, email) => {
    const viewer = await build.user(database.sql, { role });
    const token = kind === 'session' ? await session(viewer) : await build.token(database.sql, viewer);
    expect((await read('/v2/user/wren.fields', token)).body?.email).toBe(email);
  });

  test.each(['nobody', 'ZZZZZZZZ', '0', '%00', '%F0%9F%90%84', 'a'.repeat(300)])(
    '%j is unknown: 404',
    async (text) => {
      expect((await read(`/v2/user/${text}`)).status).toBe(404);
    },
  );
});

describe('GET /user/{id}/projects', () => {
  let owner: build.BuiltUser;
  let slugs: string[];
  const read = async (viewer?: build.BuiltUser, scopes: Parameters<typeof build.token>[2] = 'all') => {
    const token = viewer && (await build.token(database.sql, viewer, scopes));
    const answer = await api.call(
      'GET',
      `/v2/user/${owner.username.toUpperCase()}/projects`,
      token ? { token } : {},
    );
    return ((await answer.json()) as Array<{ slug: string }>).map(({ slug }) => slug);
  };

  beforeAll(async () => {
    owner = await build.user(database.sql);
    const make = async (status: 'approved' | 'draft' | 'unlisted', downloads: number) =>
      (await build.project(database.sql, { owner, status, downloads })).slug;
    slugs = [
      await make('approved', 10),
      await make('approved', 500),
      await make('draft', 50),
      await make('unlisted', 20),
    ];
  });

  test('shows other users only listed projects, most downloaded first', async () => {
    const public_ = [slugs[1], slugs[0]];
    expect(await read()).toEqual(public_);
    expect(await read(await build.user(database.sql))).toEqual(public_);
    expect(await read(owner, ['USER_READ'])).toEqual(public_);
  });

  test('shows owners and moderators all', async () => {
    const all = [slugs[1], slugs[2], slugs[3], slugs[0]];
    expect(await read(owner)).toEqual(all);
    expect(await read(owner, ['PROJECT_READ'])).toEqual(all);
    expect(await read(await build.user(database.sql, { role: 'moderator' }))).toEqual(all);
  });

  test('of an unknown user is 404', async () => {
    expect((await api.call('GET', '/v2/user/nobody/projects')).status).toBe(404);
  });
});

test('GET /users gives the existing ones, by ids and names', async () => {
  const ids = encodeURIComponent(JSON.stringify([admin.id, 'nobody', '\0', 'wren.fields', person.id]));
  const answer = await api.call('GET', `/v2/users?ids=${ids}`);
  expect(((await answer.json()) as Array<{ id: string }>).map(({ id }) => id)).toEqual([admin.id, person.id]);
  expect(await (await api.call('GET', '/v2/users?ids=[]')).json()).toEqual([]);
});

describe('POST /session/refresh', () => {
  const refresh = (token?: string) => api.call('POST', '/v2/session/refresh', token ? { token } : {});

  test('gives a new session for an old one, once, expired or not', async () => {
    const token = await session(person);
    await database.sql`update sessions set expires_at = now() - interval '1 day'`;
    expect((await read('/v2/user', token)).status).toBe(401);
    const answer = await refresh(token);
    expect(answer.status).toBe(200);
    const recent = (await answer.json()) as { session: string; user_id: string; current: boolean };
    expect(recent).toMatchObject({
      session: expect.stringMatching(/^mra_\w{60}$/),
      user_id: person.id,
      ip: null,
    });
    expect((await read('/v2/user', recent.session)).status).toBe(200);
    expect((await refresh(token)).status).toBe(401);
  });

  test('refuses a Bearer prefix, other tokens and none', async () => {
    const token = await session(person);
    for (const text of [`Bearer ${token}`, await build.token(database.sql, person), 'mra_short', undefined]) {
      const answer = await refresh(text);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: 'auth_error' });
    }
  });
});
