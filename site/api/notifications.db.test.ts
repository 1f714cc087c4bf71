import { beforeEach, describe, expect, it } from 'vitest';
import { notify } from '#db/messages/notifications/write.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const kinds = ['visitor', 'no scope', 'stranger', 'user', 'moderator', 'admin'] as const;
type Kind = (typeof kinds)[number];

let user: build.BuiltUser;
let tokens: Record<Kind, string | undefined>;
let ids: string[];
beforeEach(async () => {
  const { sql } = database;
  user = await build.user(sql);
  const without = unrestrictedScopes.filter((scope) => !scope.startsWith('NOTIFICATION_'));
  tokens = {
    visitor: undefined,
    'no scope': await build.token(sql, user, without),
    stranger: await build.token(sql, await build.user(sql)),
    user: await build.token(sql, user),
    moderator: await build.token(sql, await build.user(sql, { role: 'moderator' })),
    admin: await build.token(sql, await build.user(sql, { role: 'admin' })),
  };
  const body = { project_id: 'PPPP', team_id: 'TTTT', invited_by: 'UUUU', role: 'Artist' };
  await notify(sql, [user.id], { type: 'team_invite', body });
  await notify(sql, [user.id, user.id], {
    type: 'status_change',
    body: { project_id: 'PPPP', old_status: 'draft', new_status: 'approved' },
  });
  const rows = await sql<Array<{ id: string }>>`
    select id from notifications where user_id = ${user.id} order by created desc, id`;
  ids = rows.map(({ id }) => id);
});

const as = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });
async function statusesOf(call: (kind: Kind) => Promise<Response>) {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) found[kind] = (await call(kind)).status;
  return found;
}
const many = () => `ids=${JSON.stringify([...ids, 'Nothing1'])}`;
const read = async (path: string, kind: Kind = 'user') =>
  (await (await api.call('GET', path, as(kind))).json()) as Array<Record<string, unknown>>;
const rows = async () =>
  await database.sql<Array<{ read: boolean }>>`
    select read from notifications where user_id = ${user.id} order by created desc, id`;
const outside = { visitor: 401, 'no scope': 401, stranger: 401, moderator: 401 };

describe('the list of a user', () => {
  it.each([2, 3])('is for the user and admins in v%i, by id and by name', async (version) => {
    for (const name of [user.id, user.username])
      expect(
        await statusesOf((kind) => api.call('GET', `/v${version}/user/${name}/notifications`, as(kind))),
      ).toEqual({ ...outside, user: 200, admin: 200 });
    expect((await api.call('GET', `/v${version}/user/Nothing1/notifications`, as('user'))).status).toBe(404);
    expect((await read(`/v${version}/user/${user.id}/notifications`)).map(({ id }) => id)).toEqual(ids);
  });

  it('has the names of its version', async () => {
    const action_route = ['POST', 'team/TTTT/join'];
    const invitation = (list: Array<Record<string, unknown>>) =>
      list.find(({ body }) => (body as { type: string }).type === 'team_invite')!;
    const v2 = invitation(await read(`/v2/user/${user.id}/notifications`));
    expect(Object.keys(v2).sort()).toEqual([
      'actions',
      'body',
      'created',
      'id',
      'link',
      'read',
      'text',
      'title',
      'type',
      'user_id',
    ]);
    expect(v2).toMatchObject({
      type: 'team_invite',
      actions: [{ title: 'Accept', action_route }, { title: 'Deny' }],
    });
    const v3 = invitation(await read(`/v3/user/${user.id}/notifications`));
    expect(Object.keys(v3).sort()).toEqual([
      'actions',
      'body',
      'created',
      'id',
      'link',
      'name',
      'read',
      'text',
      'user_id',
    ]);
    expect(v3).toMatchObject({
      link: '/project/PPPP',
      actions: [{ name: 'Accept', action_route }, { name: 'Deny' }],
    });
  });
});

describe('by ids', () => {
  it.each([2, 3])('reads own ones in v%i, and those of everyone for admins', async (version) => {
    expect(
      await statusesOf((kind) => api.call('GET', `/v${version}/notification/${ids[0]}`, as(kind))),
    ).toEqual({
      ...{ visitor: 401, 'no scope': 401, stranger: 404, moderator: 404 },
      ...{ user: 200, admin: 200 },
    });
    for (const [kind, count] of [
      ['stranger', 0],
      ['moderator', 0],
      ['user', 2],
      ['admin', 2],
    ] as const)
      expect(await read(`/v${version}/notifications?${many()}`, kind), kind).toHaveLength(count);
    expect((await api.call('GET', '/v2/notifications?ids=[1]', as('user'))).status).toBe(400);
    expect((await api.call('GET', '/v2/notification/a-b', as('user'))).status).toBe(400);
  });

  it.each(['PATCH', 'DELETE'])('%s of one is for its user and admins', async (method) => {
    const call = (kind: Kind, id = ids[0]) => api.call(method, `/v2/notification/${id}`, as(kind));
    for (const kind of ['visitor', 'no scope', 'stranger', 'moderator'] as const)
      expect((await call(kind)).status).toBe(401);
    expect(await rows()).toEqual([{ read: false }, { read: false }]);
    expect((await call('user')).status).toBe(204);
    expect(await rows()).toEqual(method === 'PATCH' ? [{ read: true }, { read: false }] : [{ read: false }]);
    expect((await call('admin', ids[1])).status).toBe(204);
    expect(await rows()).toEqual(method === 'PATCH' ? [{ read: true }, { read: true }] : []);
    expect((await call('user', 'Nothing1')).status).toBe(404);
  });

  it.each(['PATCH', 'DELETE'])('%s of many skips those of others', async (method) => {
    const call = (kind: Kind) => api.call(method, `/v3/notifications?${many()}`, as(kind));
    for (const kind of ['stranger', 'moderator'] as const) expect((await call(kind)).status).toBe(204);
    for (const kind of ['visitor', 'no scope'] as const) expect((await call(kind)).status).toBe(401);
    expect(await rows()).toEqual([{ read: false }, { read: false }]);
    expect((await call('user')).status).toBe(204);
    expect(await rows()).toEqual(method === 'PATCH' ? [{ read: true }, { read: true }] : []);
  });
});
