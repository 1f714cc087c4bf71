import { describe, expect, test } from 'vitest';
import { loadTags } from '#db/catalogue/tags/write.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { token as buildToken, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const strict = testApi(database, { RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: '10.9.9.9' });

const astray = testApi({
  get sql() {
    return connect({ address: database.address, database: 'nowhere', max: 1 });
  },
});

const unknownRoute = {
  error: 'not_found',
  description: 'the requested route does not exist',
  details: { code: 'route_not_found' },
};

test.each([
  ['GET', '/v2/nothing/here'],
  ['GET', '/v3/nothing'],
  ['GET', '/_internal/nothing'],
  ['GET', '/v2'],
  ['POST', '/v2/tag/loader'],
  ['PUT', '/v2/user'],
  ['DELETE', '/v2/statistics'],
  ['PATCH', '/v2/users'],
])('%s %s is no route: 404 with a description', async (method, path) => {
  const answer = await api.call(method, path);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual(unknownRoute);
});

test('a missing resource is 404 with an empty body in v2', async () => {
  const answer = await api.call('GET', '/v2/user/nobody-here');
  expect(answer.status).toBe(404);
  expect(await answer.text()).toBe('');
});

test('version 1 answers 410', async () => {
  const answer = await api.call('GET', '/api/v1/mod/x');
  expect(answer.status).toBe(410);
  expect(await answer.json()).toMatchObject({ error: 'api_deprecated', description: expect.any(String) });
});

test.each(['/', '/build'])('%s describes the API', async (path) => {
  expect(await (await api.call('GET', path)).json()).toEqual({
    name: 'cairn',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    documentation: expect.stringMatching(/^http/),
    about: expect.any(String),
    license: 'AGPL-3.0-only',
    source: expect.stringMatching(/^http.*\/source$/),
    build_info: {
      comp_date: expect.any(String),
      git_hash: expect.stringMatching(/^([0-9a-f]{40}|unknown)$/),
      profile: 'debug',
    },
  });
});

describe('tokens', () => {
  const call = (token: string) => api.call('GET', '/v2/user', { token });

  test('are accepted bare and with Bearer', async () => {
    const text = await buildToken(database.sql, await user(database.sql), ['USER_READ']);
    for (const token of [text, `Bearer ${text}`, `bearer ${text}`])
      expect((await call(token)).status).toBe(200);
  });

  test('make an answer private and stored by no cache, with Vary', async () => {
    const text = await buildToken(database.sql, await user(database.sql), ['USER_READ']);
    const { headers } = await call(text);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, no-store',
      expect.stringContaining('Authorization, Cookie'),
    ]);
    const anybody = await api.call('GET', '/v2/tag/loader');
    expect(anybody.headers.get('cache-control')).toBeNull();
  });

  test.each([
    ['nonsense', 'token_kind_unknown'],
    ['gho_abcdef', 'token_kind_unknown'],
    ['mrp_unknown', 'token_invalid'],
    ['mra_unknown', 'token_invalid'],
    ['Basic YWRtaW46eA==', 'token_kind_unknown'],
  ])('%s is refused with 401', async (token, code) => {
    const answer = await call(token);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      error: 'auth_error',
      description: expect.any(String),
      details: { code },
    });
  });

  test('that expired or lack a scope are refused with 401, as is a missing token', async () => {
    const person = await user(database.sql);
    const expired = await buildToken(database.sql, person, 'all', new Date('2020-01-01'));
    const narrow = await buildToken(database.sql, person, ['PROJECT_READ']);
    for (const [token, code] of [
      [expired, 'token_invalid'],
      [narrow, 'scope_missing'],
    ] as const) {
      const answer = await call(token);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ details: { code } });
    }
    expect((await api.call('GET', '/v2/user')).status).toBe(401);
  });

  test('that are invalid count as anonymous on public routes', async () => {
    for (const token of ['nonsense', 'mrp_unknown']) {
      expect((await api.call('GET', '/v2/tag/side_type', { token })).status).toBe(200);
    }
  });
});

describe('cross-origin requests', () => {
  const origin = { origin: 'https://elsewhere.example' };

  test.each([
    ['GET', '/v2/tag/loader', 200],
    ['GET', '/v2/user', 401],
    ['GET', '/v2/nothing', 404],
    ['GET', '/v2/users?ids=nonsense', 400],
    ['GET', '/v3/nothing', 404],
    ['GET', '/', 200],
  ])('may read %s %s (%i)', async (method, path, status) => {
    const answer = await api.call(method, path, { headers: origin });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('may send a preflight for any method and header, cached for an hour', async () => {
    const answer = await api.call('OPTIONS', '/v2/project/anything', {
      headers: {
        ...origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization, content-type, x-own',
      },
    });
    expect(answer.ok).toBe(true);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-own');
    expect(answer.headers.get('access-control-max-age')).toBe('3600');
  });

  test('may not read the internal API', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await api.call(method, '/_internal/auth/sign-in', { headers: origin });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('rate limits', () => {
  const numbers = (answer: Response) =>
    ['limit', 'remaining', 'reset'].map((name) => {
      const text = answer.headers.get(`x-ratelimit-${name}`);
      expect(text).toMatch(/^\d+$/);
      return Number(text);
    });

  test.each([
    '/v2/tag/loader',
    '/v2/nothing',
    '/v2/user',
    '/v2/user/nobody',
    '/v2/users?ids=[',
    '/',
    '/_internal/x',
    '/api/v1/x',
  ])('%s carries the rate limit headers', async (path) => {
    expect(numbers(await api.call('GET', path))).toEqual([300, 300, 0]);
  });

  test('are counted by address; the 429 is readable cross-origin and has Retry-After', async () => {
    const call = (address: string, headers = {}) =>
      strict.call('GET', '/v2/tag/side_type', { address, headers });
    for (const left of [4, 3, 2, 1, 0]) expect(numbers(await call('192.0.2.1'))[1]).toBe(left);
    const refused = await call('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      error: 'ratelimit_error',
      description: expect.stringMatching(/\d+ ms/),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(numbers(refused).slice(0, 2)).toEqual([5, 0]);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect((await call('192.0.2.2')).status).toBe(200);
    expect((await strict.call('OPTIONS', '/v2/user', { address: '192.0.2.1' })).status).toBe(204);
  });

  test('believe X-Forwarded-For only from a trusted proxy, and count an IPv6 /64 as one', async () => {
    const left = async (address: string, forwarded?: string) =>
      numbers(
        await strict.call('GET', '/v2/tag/side_type', {
          address,
          headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
        }),
      )[1];
    expect(await left('10.9.9.9', '198.51.100.7')).toBe(4);
    expect(await left('10.9.9.9', '198.51.100.8')).toBe(4);
    expect(await left('203.0.113.5', '198.51.100.9')).toBe(4);
    expect(await left('203.0.113.5', '198.51.100.10')).toBe(3);
    expect(await left('2001:db8:1:2::1')).toBe(4);
    expect(await left('2001:db8:1:2:ffff::9')).toBe(3);
    expect(await left('2001:db8:1:3::1')).toBe(4);
    expect(await left('::ffff:203.0.113.5')).toBe(2);
  });
});

describe('queries', () => {
  test('accept 800 ids in one GET, with raw brackets and commas', async () => {
    const people = await Promise.all([user(database.sql), user(database.sql)]);
    const ids = [
      ...people.map(({ id }) => id),
      ...Array.from({ length: 798 }, (_, i) => `Zz${String(i).padStart(6, '0')}`),
    ];
    const answer = await api.call('GET', `/v2/users?ids=${JSON.stringify(ids)}`);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as unknown[]).length).toBe(2);
    const encoded = await api.call('GET', `/v2/users?ids=${encodeURIComponent(JSON.stringify(ids))}`);
    expect(((await encoded.json()) as unknown[]).length).toBe(2);
  });

  test('ignore unknown keys', async () => {
    await loadTags(database.sql);
    const answer = await api.call('GET', '/v2/tag/game_version?cache=true&filter=');
    expect(((await answer.json()) as unknown[]).length).toBeGreaterThan(100);
  });

  test('with text that a database cannot store match nothing, without a 500', async () => {
    expect((await api.call('GET', '/v2/user/%00')).status).toBe(404);
    expect(await (await api.call('GET', '/v2/users?ids=["a%5Cu0000"]')).json()).toEqual([]);
  });

  test.each([
    '/v2/users',
    '/v2/users?ids=',
    '/v2/users?ids=abc',
    '/v2/users?ids={}',
    '/v2/users?ids=[1]',
    '/v2/tag/game_version?type=nightly',
  ])('%s is a 400 that names the field', async (path) => {
    const answer = await api.call('GET', path);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'request_error',
      description: expect.stringMatching(/ids|type/),
    });
  });
});

test.each([
  ['loader', 'gzip', 'gzip'],
  ['loader', 'deflate, br', 'deflate'],
  ['loader', 'gzip;q=0, identity', null],
  ['loader', undefined, null],
  ['side_type', 'gzip', null],
])(
  'large responses are compressed for clients that accept it: %s, %s -> %s',
  async (tag, accepted, encoding) => {
    const headers: Record<string, string> = accepted ? { 'accept-encoding': accepted } : {};
    const answer = await api.call('GET', `/v2/tag/${tag}`, { headers });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
  },
);

test('an internal error is answered without detail and logged with its request id', async () => {
  const answer = await astray.call('GET', '/v2/user/anybody');
  expect(answer.status).toBe(500);
  const { error, description, ...rest } = (await answer.json()) as Record<string, string>;
  expect(error).toBe('internal_error');
  expect(description).toContain(answer.headers.get('x-request-id'));
  expect(description).not.toMatch(/database|select|nowhere/i);
  expect(rest).toEqual({});
});

test('the OpenAPI document lists the routes, their scopes and this server', async () => {
  const answer = await api.call('GET', '/v2/openapi.json');
  const document = (await answer.json()) as {
    openapi: string;
    servers: Array<{ url: string }>;
    paths: Record<string, Record<string, { security?: unknown }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers[0]?.url).toBe(`${api.services.settings.SITE_URL}/v2`);
  expect(document.paths['/user']?.get?.security).toEqual([{ token: ['USER_READ'] }]);
  expect(document.paths['/tag/license/{id}']?.get).toBeDefined();
  const text = JSON.stringify(document);
  const named = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string),
  );
  expect(named).toContain('Error');
  for (const name of named) expect(text).toContain(`"${name}":{`);
});
