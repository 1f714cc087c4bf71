import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#db/platform/people/rules.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const callers = [
  'anonymous',
  'user',
  'moderator',
  'admin',
  'read token',
  'write token',
  'other token',
  'token without the role',
] as const;
type Caller = (typeof callers)[number];
const tokens: Partial<Record<Caller, string>> = {};
let project: { id: string; slug: string };

beforeAll(async () => {
  const { sql } = database;
  project = await build.project(sql, { status: 'processing' });
  const token = async (role: Role, scopes: Scope[]) =>
    await build.token(sql, await build.user(sql, { role }), scopes);
  tokens.user = await token('developer', ['PROJECT_READ', 'PROJECT_WRITE', 'STAFF']);
  tokens.moderator = await token('moderator', ['PROJECT_READ', 'PROJECT_WRITE', 'STAFF']);
  tokens.admin = await token('admin', ['PROJECT_READ', 'PROJECT_WRITE', 'STAFF']);
  tokens['read token'] = await token('moderator', ['PROJECT_READ', 'STAFF']);
  tokens['write token'] = await token('moderator', ['PROJECT_WRITE', 'STAFF']);
  tokens['other token'] = await token('moderator', ['VERSION_READ', 'STAFF']);
  tokens['token without the role'] = await token('admin', ['PROJECT_READ', 'PROJECT_WRITE']);
});

const call = (who: Caller, route: string, body?: string) => {
  const [method = '', path = ''] = route.split(' ');
  const token = tokens[who];
  return api.call(method, `/_internal/moderation/${path.replace('/x', `/${project.id}`)}`, {
    ...(token && { token }),
    ...(body !== undefined && { body, headers: { 'content-type': 'text/plain' } }),
  });
};

/** Status per caller, in the order of `callers`. Source: api-v3 §5. */
const table: Record<string, number[]> = {
  'GET projects': [401, 401, 200, 200, 200, 401, 401, 401],
  'GET projects/ids': [401, 401, 200, 200, 200, 401, 401, 401],
  'GET lock/x': [401, 401, 200, 200, 200, 401, 401, 401],
  'POST lock/x': [401, 401, 200, 200, 401, 200, 401, 401],
  'POST lock/x/override': [401, 401, 200, 200, 401, 200, 401, 401],
  'POST lock/x/release': [401, 401, 200, 200, 401, 200, 401, 401],
  'DELETE lock/x': [401, 401, 200, 200, 401, 200, 401, 401],
  'DELETE locks': [401, 401, 401, 200, 401, 401, 401, 401],
};

describe.each(Object.entries(table))('%s', (route, statuses) => {
  test.each(callers.map((who, at) => [who, statuses[at]!] as const))(
    'answers a caller with %s %i',
    async (who, status) => {
      expect((await call(who, route)).status).toBe(status);
    },
  );
});

test('a blocked caller is answered 200 and told who holds the lock', async () => {
  expect(await (await call('moderator', 'POST lock/x/override')).json()).toMatchObject({
    success: true,
    is_own_lock: true,
    expired: false,
  });
  expect(await (await call('write token', 'POST lock/x')).json()).toMatchObject({
    success: false,
    is_own_lock: false,
    locked_by: { id: expect.any(String), username: expect.any(String) },
  });
  expect(await (await call('read token', 'GET lock/x')).json()).toMatchObject({
    locked: true,
    is_own_lock: false,
  });
  // a page that closes sends its token as the body
  expect(await (await call('anonymous', 'POST lock/x/release', tokens.moderator!)).json()).toEqual({
    success: true,
  });
  expect(await (await call('moderator', 'GET lock/x')).json()).toEqual({ locked: false, is_own_lock: false });
  expect(await (await call('moderator', 'DELETE lock/x')).json()).toEqual({ success: false });
});

test('bad input is refused clearly', async () => {
  for (const query of ['count=201', 'count=0', 'offset=-1', 'sort=best', 'has_external_dependencies=perhaps'])
    expect((await call('moderator', `GET projects?${query}`)).status, query).toBe(400);
  expect((await call('moderator', 'POST lock/nowhere')).status).toBe(404);
  expect((await call('anonymous', 'POST lock/x/release', 'mrp_wrong')).status).toBe(401);
  const { projects, total } = await (
    await call('moderator', 'GET projects?project_type=none&count=1')
  ).json();
  expect(total).toBe(1);
  expect(projects[0]).toMatchObject({ id: project.id, status: 'processing', project_types: [] });
  expect(Object.keys(projects[0])).not.toContain('lock');
});
