import { beforeAll, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';

/** The same request at the same time, as by an impatient client: one wins, the others are refused, nothing is doubled. */
const database = testDatabase();
const api = testApi(database);

let owner: build.BuiltUser;
let other: build.BuiltUser;
let token: string;
let others: string;
let project: build.BuiltProject;
beforeAll(async () => {
  const { sql } = database;
  owner = await build.user(sql);
  other = await build.user(sql);
  token = await build.token(sql, owner);
  others = await build.token(sql, other);
  project = await build.project(sql, { owner });
});

/** The statuses of `count` simultaneous requests with how often each came; the n-th request may differ. */
async function together(count: number, send: (n: number) => Promise<Response>) {
  const statuses: Record<number, number> = {};
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}
const call = (method: string, path: string, as: string, json?: unknown) =>
  api.call(method, path, { token: as, ...(json === undefined ? {} : { json }) });

test('a user is invited once, joins once, and leaves once', async () => {
  const members = `/v3/team/${project.team}/members`;
  expect(await together(6, () => call('POST', members, token, { user_id: other.id }))).toEqual({
    204: 1,
    400: 5,
  });
  expect(await together(6, () => call('POST', `/v2/team/${project.team}/join`, others))).toEqual({
    204: 1,
    400: 5,
  });
  const left = await together(6, () => call('DELETE', `${members}/${other.id}`, others));
  expect(left[204]).toBe(1);
  const [row] = await database.sql`select count(*) as n from notifications where user_id = ${other.id}`;
  expect(row!.n).toBe(1);
});

test('two people who ask each other are friends once', async () => {
  const asked = await together(8, (n) =>
    n % 2 ? call('POST', `/v3/friend/${owner.id}`, others) : call('POST', `/v3/friend/${other.id}`, token),
  );
  expect(asked).toEqual({ 204: 2, 400: 6 });
  expect(await (await call('GET', '/v3/friends', token)).json()).toMatchObject([{ accepted: true }]);
  expect(await together(4, () => call('POST', `/v3/block/${other.id}`, token))).toEqual({ 204: 4 });
  expect(await (await call('GET', '/v3/friends', token)).json()).toEqual([]);
});

test('a limit holds', async () => {
  const create = (n: number) =>
    call('POST', '/v3/organization', token, { slug: `race-${n}`, name: 'Race', description: 'Together' });
  expect(await together(20, create)).toEqual({ 200: 16, 400: 4 });
  const collect = () => call('POST', '/v3/collection', token, { name: 'Race', projects: [] });
  expect(await together(40, collect)).toEqual({ 200: 32, 400: 8 });
});

test('a name is taken once', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => build.user(database.sql)));
  const tokens = await Promise.all(people.map((one) => build.token(database.sql, one)));
  const rename = (n: number) =>
    call('PATCH', `/v2/user/${people[n]!.id}`, tokens[n]!, { username: 'the-only-one' });
  expect(await together(5, rename)).toEqual({ 204: 1, 400: 4 });
  const projects = await Promise.all(people.map((one) => build.project(database.sql, { owner: one })));
  const slug = (n: number) =>
    call('PATCH', `/v2/project/${projects[n]!.id}`, tokens[n]!, { slug: 'the-only-slug' });
  expect(await together(5, slug)).toEqual({ 204: 1, 400: 4 });
});

test('a follow counts once, also while the project is deleted', async () => {
  const { sql } = database;
  expect(await together(6, () => call('POST', `/v2/project/${project.id}/follow`, others))).toEqual({
    204: 1,
    400: 5,
  });
  const [row] = await sql`select followers from projects where id = ${project.id}`;
  expect(row!.followers).toBe(1);
  const gone = await together(9, (n) =>
    n % 3 === 0
      ? call('DELETE', `/v2/project/${project.id}`, token)
      : call(n % 3 === 1 ? 'DELETE' : 'POST', `/v2/project/${project.id}/follow`, others),
  );
  expect(Object.keys(gone).filter((status) => Number(status) >= 500 && status !== '503')).toEqual([]);
  expect(await sql`select 1 from follows where project_id = ${project.id}`).toHaveLength(0);
});

test('an organization is deleted while projects come and its owner changes', async () => {
  const { sql } = database;
  const head = await build.user(sql);
  const next = await build.user(sql);
  const as = await build.token(sql, head);
  const house = await build.organization(sql, { owner: head });
  await sql`update team_members set organization_permissions = 255 where team_id = ${house.team_id}`;
  await build.member(sql, house.team_id, next, { organization_permissions: 255 });
  const made = await Promise.all(Array.from({ length: 4 }, () => build.project(sql, { owner: head })));
  const found = await together(8, (n) => {
    if (n < 4) return call('POST', `/v3/organization/${house.id}/projects`, as, { project_id: made[n]!.id });
    if (n < 6) return call('PATCH', `/v2/team/${house.team_id}/owner`, as, { user_id: next.id });
    return call('DELETE', `/v3/organization/${house.id}`, as);
  });
  expect(Object.keys(found).filter((status) => Number(status) >= 500 && status !== '503')).toEqual([]);
  const ownerless = await sql`
    select p.id from projects p where p.id = any(${made.map(({ id }) => id)}) and p.organization is null
      and not exists (select from team_members m where m.team_id = p.team and m.is_owner)`;
  expect(ownerless).toHaveLength(0);
});
