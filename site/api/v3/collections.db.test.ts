import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Scope, unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { onDisk } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

const kinds = [
  'visitor',
  'broken token',
  'stranger',
  'owner',
  'owner without the scope',
  'moderator',
  'admin',
] as const;
type Kind = (typeof kinds)[number];

let owner: build.BuiltUser;
let project: build.BuiltProject;
let tokens: Record<Kind, string | undefined>;
beforeEach(async () => {
  const { sql } = database;
  owner = await build.user(sql);
  project = await build.project(sql);
  const without = unrestrictedScopes.filter((scope) => !scope.startsWith('COLLECTION_'));
  tokens = {
    visitor: undefined,
    'broken token': 'mrp_nobody',
    stranger: await build.token(sql, await build.user(sql)),
    owner: await build.token(sql, owner),
    'owner without the scope': await build.token(sql, owner, without),
    moderator: await build.token(sql, await build.user(sql, { role: 'moderator' })),
    admin: await build.token(sql, await build.user(sql, { role: 'admin' })),
  };
});

const as = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });
const allOf = (status: number, some: readonly Kind[] = kinds) =>
  Object.fromEntries(some.map((kind) => [kind, status]));
async function statusesOf(call: (kind: Kind) => Promise<Response>) {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) found[kind] = (await call(kind)).status;
  return found;
}
const made = async (status = 'listed', projects = [project]) =>
  (await build.collection(database.sql, projects, { owner, status })).id;
const read = async (path: string, kind: Kind = 'owner') =>
  (await (await api.call('GET', path, as(kind))).json()) as Record<string, unknown>;
const inside: Kind[] = ['owner', 'moderator', 'admin'];

describe('reading a collection', () => {
  it.each(['listed', 'unlisted'])('that is %s is open to everyone', async (status) => {
    const id = await made(status);
    expect(await statusesOf((kind) => api.call('GET', `/v3/collection/${id}`, as(kind)))).toEqual(allOf(200));
    expect(await read(`/v3/collection/${id}`)).toMatchObject({ id, user: owner.id, projects: [project.id] });
  });

  it.each([
    ['private', 1],
    ['rejected', 1],
    ['listed', 0],
  ])('that is %s with %i projects does not exist for others', async (status, count) => {
    const id = await made(status, count === 0 ? [] : [project]);
    const requested = { ...allOf(404), ...allOf(200, inside) };
    expect(await statusesOf((kind) => api.call('GET', `/v3/collection/${id}`, as(kind)))).toEqual(requested);
    expect(await read(`/v3/collection/${id}`, 'visitor')).toMatchObject({ error: 'not_found' });
    for (const kind of kinds) {
      const many = await read(`/v3/collections?ids=["${id}"]`, kind);
      expect(many, kind).toHaveLength(inside.includes(kind) ? 1 : 0);
    }
  });

  it('of follows is visible to its user only, with both scopes', async () => {
    const path = '/v3/collection/following';
    await build.follow(database.sql, owner, project);
    expect(await statusesOf((kind) => api.call('GET', path, as(kind)))).toEqual({
      ...allOf(200),
      ...allOf(404, ['visitor', 'broken token', 'owner without the scope']),
    });
    expect(await read(path)).toMatchObject({ user: owner.id, projects: [project.id], status: 'private' });
    expect(await read(path, 'stranger')).toMatchObject({ projects: [] });
    const narrow = await build.token(database.sql, owner, ['COLLECTION_READ']);
    expect((await api.call('GET', path, { token: narrow })).status).toBe(404);
    expect((await api.call('DELETE', path, as('owner'))).status).toBe(404);
  });

  it.each([
    ['/v3/collection/nowhere1', 404],
    ['/v3/collection/no-id!', 400],
    ['/v3/collection/%00', 400],
    ['/v3/collections', 400],
    ['/v3/collections?ids=nonsense', 400],
    ['/v3/collections?ids=[1]', 400],
    ['/v3/user/nobody-at-all/collections', 404],
  ])('%s is %i with a description', async (path, status) => {
    const answer = await api.call('GET', path);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ description: expect.any(String) });
  });
});

it('the list of a user shows others only listed ones, newest first', async () => {
  const listed = await made();
  const others = [
    await made('unlisted'),
    await made('private'),
    await made('rejected'),
    await made('listed', []),
  ];
  await database.sql`update collections set created = created - interval '1 day' where id = ${listed}`;
  for (const kind of kinds) {
    const list = (await read(`/v3/user/${owner.username}/collections`, kind)) as unknown as Array<{
      id: string;
    }>;
    const ids = list.map(({ id }) => id);
    if (!inside.includes(kind)) expect(ids, kind).toEqual([listed]);
    else expect([ids.length, ids.at(-1), ids.slice(0, 4).sort()], kind).toEqual([5, listed, others.sort()]);
  }
});

describe('creating a collection', () => {
  const post = async (json: unknown, kind: Kind = 'owner') =>
    await api.call('POST', '/v3/collection', { ...as(kind), json });

  it('is open to every user with the scope and a verified address', async () => {
    const json = { name: 'Shelf', projects: [project.slug, 'never-was'] };
    expect(await statusesOf((kind) => post(json, kind))).toEqual({
      ...allOf(200),
      ...allOf(401, ['visitor', 'broken token', 'owner without the scope']),
    });
    expect(await (await post(json)).json()).toMatchObject({
      user: owner.id,
      name: 'Shelf',
      description: null,
      status: 'listed',
      projects: [project.id],
    });
    await database.sql`update users set email_verified = false where id = ${owner.id}`;
    const refused = await post(json);
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'unauthorized' }]);
  });

  it('is refused at the limit with its own code', async () => {
    for (let count = 0; count < 32; count++) await build.collection(database.sql, [], { owner });
    const answer = await post({ name: 'One more' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'limit_reached' }]);
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['no name', {}],
    ['a short name', { name: 'ab' }],
    ['a long name', { name: 'a'.repeat(65) }],
    ['a blank name', { name: '   ' }],
    ['a name that Postgres cannot hold', { name: 'abc\0' }],
    ['a short description', { name: 'Shelf', description: 'ab' }],
    ['a long description', { name: 'Shelf', description: 'a'.repeat(256) }],
    ['projects that are no list', { name: 'Shelf', projects: 'sodium' }],
    [
      'too many projects',
      { name: 'Shelf', projects: Array.from({ length: 1025 }, (_, n) => `project-${n}`) },
    ],
  ])('%s is refused and nothing is made', async (_what, json) => {
    const answer = await post(json);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_input', description: expect.any(String) });
    expect(await database.sql`select 1 from collections where user_id = ${owner.id}`).toHaveLength(0);
  });

  it.each([
    ['a name of 3', { name: 'abc' }],
    ['a name of 64 wide characters', { name: '🌲'.repeat(64) }],
    ['a description of 255', { name: 'Shelf', description: 'a'.repeat(255) }],
  ])('%s is accepted', async (_what, json) => {
    expect((await post(json)).status).toBe(200);
  });
});

describe('editing a collection', () => {
  const patch = async (id: string, json: unknown, kind: Kind = 'owner') =>
    await api.call('PATCH', `/v3/collection/${id}`, { ...as(kind), json });

  it('is for its owner and moderators; others get 401, or 404 for a hidden one', async () => {
    const [listed, secret] = [await made(), await made('private')];
    const requested = { ...allOf(401), ...allOf(204, inside) };
    expect(await statusesOf((kind) => patch(listed, { name: 'Renamed' }, kind))).toEqual(requested);
    expect(await statusesOf((kind) => patch(secret, { name: 'Renamed' }, kind))).toEqual({
      ...requested,
      stranger: 404,
    });
    expect((await patch('nowhere1', { name: 'Renamed' }, 'admin')).status).toBe(404);
  });

  it.each([
    ['listed', 'private', 204, 204],
    ['private', 'unlisted', 204, 204],
    ['listed', 'rejected', 401, 204],
    ['rejected', 'listed', 401, 204],
    ['listed', 'unknown', 400, 400],
    ['listed', 'approved', 400, 400],
  ])('from %s to %s is %i for the owner and %i for moderators', async (from, to, own, staff) => {
    expect((await patch(await made(from), { status: to })).status).toBe(own);
    expect((await patch(await made(from), { status: to }, 'moderator')).status).toBe(staff);
  });

  it.each<[string, unknown]>([
    ['an unknown project', { new_projects: ['never-was'] }],
    ['too many projects', { new_projects: Array.from({ length: 1025 }, (_, n) => `project-${n}`) }],
    ['a short name', { name: 'ab' }],
    ['a long description', { description: 'a'.repeat(257) }],
    ['no object', 'text'],
  ])('%s is refused and nothing changes', async (_what, json) => {
    const id = await made();
    const before = await read(`/v3/collection/${id}`);
    const answer = await patch(id, json);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'request_error', description: expect.any(String) });
    expect(await read(`/v3/collection/${id}`)).toEqual(before);
  });

  it('accepts 1,024 projects and clears the description by null', async () => {
    const id = await made();
    const { sql } = database;
    await sql`
      insert into projects (id, slug, team, title, description, status, license_id, thread_id)
      select 'Many' || lpad(n::text, 4, '0'), 'many-' || n, ${project.team}, 't', 'd', 'approved', 'MIT', 'thread01'
      from generate_series(1, 1024) n`;
    const new_projects = Array.from({ length: 1024 }, (_, n) => `many-${1024 - n}`);
    expect((await patch(id, { new_projects, description: null })).status).toBe(204);
    const { projects, description } = (await read(`/v3/collection/${id}`)) as {
      projects: string[];
      description: null;
    };
    expect([projects.length, projects[0], projects.at(-1), description]).toEqual([
      1024,
      'Many1024',
      'Many0001',
      null,
    ]);
    await sql`delete from projects where slug like 'many-%'`;
  });

  it('deleting is for its owner and moderators', async () => {
    for (const kind of kinds) {
      const id = await made();
      const answer = await api.call('DELETE', `/v3/collection/${id}`, as(kind));
      const allowed = inside.includes(kind);
      expect(answer.status, kind).toBe(allowed ? 204 : 401);
      expect((await api.call('GET', `/v3/collection/${id}`)).status).toBe(allowed ? 404 : 200);
    }
  });

  it.each<[string, string, Scope]>([
    ['PATCH', '', 'COLLECTION_WRITE'],
    ['DELETE', '/icon', 'COLLECTION_WRITE'],
    ['DELETE', '', 'COLLECTION_DELETE'],
  ])('%s%s needs %s and no other scope', async (method, path, scope) => {
    const id = await made();
    const rest = unrestrictedScopes.filter((other) => other !== scope);
    const request = async (scopes: readonly Scope[]) => {
      const token = await build.token(database.sql, owner, scopes);
      const body = method === 'PATCH' ? { json: { name: 'Renamed' } } : {};
      return (await api.call(method, `/v3/collection/${id}${path}`, { token, ...body })).status;
    };
    expect(await request(rest)).toBe(401);
    expect(await request([scope])).toBe(204);
  });
});

describe('the icon', () => {
  const png = async (background: string) =>
    new Uint8Array(
      await sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    );
  const stored = async (id: string) => (await onDisk(api.services)).filter((key) => key.includes(id));

  it('is set, replaced and removed by its owner and moderators, and deleted with the collection', async () => {
    const id = await made();
    const set = async (kind: Kind, background = '#123456') =>
      await api.call('PATCH', `/v3/collection/${id}/icon?ext=png`, {
        ...as(kind),
        body: await png(background),
      });
    expect(await statusesOf((kind) => set(kind))).toEqual({ ...allOf(401), ...allOf(204, inside) });
    const first = await stored(id);
    expect(await read(`/v3/collection/${id}`)).toMatchObject({
      icon_url: expect.stringContaining(id),
      color: expect.any(Number),
    });
    await set('owner', '#654321');
    expect((await stored(id)).some((key) => first.includes(key))).toBe(false);
    expect((await api.call('DELETE', `/v3/collection/${id}/icon`, as('owner'))).status).toBe(204);
    expect([await read(`/v3/collection/${id}`), await stored(id)]).toMatchObject([
      { icon_url: null, color: null },
      [],
    ]);
    await set('owner');
    await api.call('DELETE', `/v3/collection/${id}`, as('owner'));
    expect(await stored(id)).toEqual([]);
  });

  it.each([
    ['unknown extension', '?ext=tiff', 8],
    ['no extension', '', 8],
    ['no picture', '?ext=png', 8],
    ['too many bytes', '?ext=png', 262_145],
  ])('%s is refused and nothing is stored', async (_what, query, bytes) => {
    const id = await made();
    const body = new Uint8Array(bytes);
    const answer = await api.call('PATCH', `/v3/collection/${id}/icon${query}`, { ...as('owner'), body });
    expect(answer.status).toBe(400);
    expect(await stored(id)).toEqual([]);
  });
});
