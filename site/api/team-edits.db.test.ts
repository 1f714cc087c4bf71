import { beforeEach, describe, expect, it } from 'vitest';
import { eventsAfter } from '#db/platform/events/read.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

let owner: build.BuiltUser;
let other: build.BuiltUser;
let project: build.BuiltProject;
beforeEach(async () => {
  owner = await build.user(database.sql);
  other = await build.user(database.sql);
  project = await build.project(database.sql, { owner });
});

const call = async (person: { id: string } | null, method: string, path: string, json?: unknown) => {
  const token = person ? { token: await build.token(database.sql, person) } : {};
  const answer = await api.call(method, path, { ...token, ...(json === undefined ? {} : { json }) });
  const text = await answer.text();
  const code = text === '' ? undefined : JSON.parse(text).details?.code;
  return code === undefined ? answer.status : [answer.status, code];
};
const rows = async (team_id: string) =>
  await database.sql`select * from team_members where team_id = ${team_id} order by user_id`;
const rowOf = async (team_id: string, person: { id: string }) =>
  (await rows(team_id)).find(({ user_id }) => user_id === person.id) ?? null;
const notificationsOf = async (person: { id: string }) =>
  await database.sql`select type, body from notifications where user_id = ${person.id}`;
const teamPath = (version: number, team_id: string, rest: string) => `/v${version}/team/${team_id}/${rest}`;

describe.each([2, 3])('in v%i', (version) => {
  it('a user is invited, sees the invitation, accepts it once, and leaves', async () => {
    const path = teamPath(version, project.team, 'members');
    expect(
      await call(owner, 'POST', path, { user_id: other.id, role: 'Artist', permissions: 4 + 2 ** 40 }),
    ).toBe(204);
    expect(await rowOf(project.team, other)).toMatchObject({
      role: 'Artist',
      accepted: false,
      is_owner: false,
      permissions: 4,
      organization_permissions: null,
      payouts_split: '0',
      ordering: 0,
    });
    expect(await notificationsOf(other)).toMatchObject([
      {
        type: 'team_invite',
        body: { project_id: project.id, team_id: project.team, invited_by: owner.id, role: 'Artist' },
      },
    ]);
    const join = teamPath(version, project.team, 'join');
    expect(await call(other, 'POST', join)).toBe(204);
    expect(await rowOf(project.team, other)).toMatchObject({ accepted: true, permissions: 4 });
    expect(await call(other, 'POST', join)).toEqual([400, 'already_in_team']);
    expect(await call(other, 'DELETE', `${path}/${other.id}`)).toBe(204);
    expect(await rowOf(project.team, other)).toBeNull();
    expect(await call(other, 'POST', join)).toEqual([400, 'not_invited']);
    const events = (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000)).filter(
      ({ team_id }) => team_id === project.team,
    );
    expect(events.map(({ name, user_id, project_id }) => [name, user_id, project_id])).toEqual(
      Array(3).fill(['team.changed', other.id, project.id]),
    );
  });

  it('a member is edited by name or id, within the permissions of the caller', async () => {
    const editor = await build.user(database.sql);
    await build.member(database.sql, project.team, editor, { permissions: 64 | 4 });
    await build.member(database.sql, project.team, other, { permissions: 1, role: 'Member' });
    const path = teamPath(version, project.team, `members/${other.username.toUpperCase()}`);
    const change = { permissions: 4, role: 'Coder', payouts_split: 0, ordering: -3 };
    expect(await call(editor, 'PATCH', path, change)).toBe(204);
    expect(await rowOf(project.team, other)).toMatchObject({ ...change, payouts_split: '0' });
    // the revenue is divided by its owner, who proves who they are; no token does it
    expect(await call(editor, 'PATCH', path, { payouts_split: 12.5 })).toEqual([401, 'owner_only']);
    expect(await call(owner, 'PATCH', path, { payouts_split: 12.5 })).toEqual([401, 'proof_required']);
    const token = await session(database.sql, owner);
    expect((await api.call('PATCH', path, { token, json: { payouts_split: 12.5 } })).status).toBe(204);
    expect(await rowOf(project.team, other)).toMatchObject({ payouts_split: '12.5' });
    expect(await call(editor, 'PATCH', path, {})).toBe(204);
    const before = await rows(project.team);
    for (const [body, status, code] of [
      [{ permissions: 8 }, 400, 'permissions_exceeded'],
      [{ organization_permissions: 0 }, 400, 'organization_permissions_refused'],
      [{ payouts_split: 5000.5 }, 400, 'invalid_input'],
      [{ payouts_split: -1 }, 400, 'invalid_input'],
      [{ permissions: -1 }, 400, 'invalid_input'],
      [{ permissions: '4' }, 400, 'invalid_input'],
      [{ role: 'a\0b' }, 400, 'invalid_input'],
      [{ role: 'x'.repeat(65) }, 400, 'invalid_input'],
      [{ ordering: 1.5 }, 400, 'invalid_input'],
    ] as const) {
      expect(await call(editor, 'PATCH', path, body), JSON.stringify(body)).toEqual([status, code]);
    }
    const ownersPath = teamPath(version, project.team, `members/${owner.id}`);
    expect(await call(editor, 'PATCH', ownersPath, { permissions: 4 })).toEqual([
      400,
      'owner_permissions_fixed',
    ]);
    expect(await call(other, 'PATCH', path, { role: 'Boss' })).toEqual([401, 'permission_missing']);
    expect(await rows(project.team)).toEqual(before);
    expect(await call(editor, 'PATCH', ownersPath, { role: 'Founder' })).toBe(204);
  });

  it('the ownership passes to an accepted member only', async () => {
    const path = teamPath(version, project.team, 'owner');
    await build.member(database.sql, project.team, other, { permissions: 1, accepted: false });
    expect(await call(owner, 'PATCH', path, { user_id: other.id })).toEqual([400, 'new_owner_not_member']);
    await database.sql`update team_members set accepted = true where user_id = ${other.id}`;
    expect(await call(other, 'PATCH', path, { user_id: other.id })).toEqual([401, 'owner_only']);
    expect(await call(owner, 'PATCH', path, { user_id: other.id })).toBe(204);
    expect(await rowOf(project.team, other)).toMatchObject({ is_owner: true, permissions: 1023 });
    expect(await rowOf(project.team, owner)).toMatchObject({ is_owner: false, permissions: 1023 });
    expect(await call(owner, 'DELETE', teamPath(version, project.team, `members/${other.id}`))).toEqual([
      401,
      'owner_not_removable',
    ]);
    const admin = await build.user(database.sql, { role: 'admin' });
    expect(await call(admin, 'PATCH', path, { user_id: owner.id })).toBe(204);
    expect(await call(admin, 'PATCH', path, { user_id: owner.id })).toBe(204);
    expect(await rowOf(project.team, owner)).toMatchObject({ is_owner: true });
  });

  it('refuses callers without token, scope or membership, and unknown things', async () => {
    await build.member(database.sql, project.team, other, { accepted: false });
    const before = await rows(project.team);
    const stranger = await build.user(database.sql);
    const moderator = await build.user(database.sql, { role: 'moderator' });
    const writes: Array<[string, string, unknown]> = [
      ['POST', 'members', { user_id: stranger.id }],
      ['PATCH', `members/${other.id}`, { role: 'Boss' }],
      ['DELETE', `members/${other.id}`, undefined],
      ['PATCH', 'owner', { user_id: stranger.id }],
    ];
    for (const [method, rest, json] of writes) {
      const path = teamPath(version, project.team, rest);
      expect(await call(null, method, path, json)).toEqual([401, 'authentication_required']);
      const scopes = unrestrictedScopes.filter((scope) => scope !== 'PROJECT_WRITE');
      const token = await build.token(database.sql, owner, scopes);
      const body = json === undefined ? {} : { json };
      expect((await api.call(method, path, { token, ...body })).status).toBe(401);
      const code = rest === 'owner' ? 'owner_only' : 'not_a_member';
      expect(await call(stranger, method, path, json)).toEqual([401, code]);
      const staff = rest === 'owner' ? 'owner_only' : 'permission_missing';
      expect(await call(moderator, method, path, json)).toEqual([401, staff]);
      const missing = await call(owner, method, teamPath(version, 'nowhere1', rest), json);
      expect(missing).toEqual(version === 2 ? 404 : [404, 'not_found']);
      expect(await call(owner, method, teamPath(version, 'no-id!', rest), json)).toEqual([
        400,
        'invalid_input',
      ]);
    }
    expect(
      await call(owner, 'POST', teamPath(version, project.team, 'members'), { user_id: 'nobody12' }),
    ).toEqual([400, 'user_unknown']);
    expect(
      await call(owner, 'POST', teamPath(version, project.team, 'members'), { user_id: other.id }),
    ).toEqual([400, 'already_invited']);
    const unknown = await call(owner, 'DELETE', teamPath(version, project.team, 'members/nobody12'));
    expect(unknown).toEqual(version === 2 ? 404 : [404, 'not_found']);
    expect(await call(stranger, 'POST', teamPath(version, 'nowhere1', 'join'))).toEqual([400, 'not_invited']);
    expect(await rows(project.team)).toEqual(before);
  });
});

it('a hidden project has no team for strangers, and one for its invitees', async () => {
  const draft = await build.project(database.sql, { owner, status: 'draft' });
  const path = teamPath(3, draft.team, 'members');
  expect(await call(other, 'POST', path, { user_id: other.id })).toEqual([404, 'not_found']);
  expect(await call(owner, 'POST', path, { user_id: other.id })).toBe(204);
  expect(await call(other, 'POST', path, { user_id: other.id })).toEqual([401, 'not_a_member']);
  expect(await call(other, 'DELETE', `${path}/${other.id}`)).toBe(204);
});

describe('a project of an organization', () => {
  it('has members of the organization at once, its owner only with all permissions', async () => {
    const house = await build.organization(database.sql, { owner });
    const ours = await build.project(database.sql, { organization: house });
    await build.member(database.sql, house.team_id, other);
    const path = teamPath(3, ours.team, 'members');
    expect(await call(owner, 'POST', path, { user_id: other.id, permissions: 5 })).toBe(204);
    expect(await rowOf(ours.team, other)).toMatchObject({ accepted: true, permissions: 5 });
    expect(await notificationsOf(other)).toEqual([]);
    expect(await call(other, 'POST', teamPath(3, ours.team, 'join'))).toEqual([400, 'already_in_team']);
    expect(await call(owner, 'POST', path, { user_id: owner.id, permissions: 5 })).toEqual([
      400,
      'organization_owner_permissions',
    ]);
    expect(await call(owner, 'POST', path, { user_id: owner.id, permissions: 1023 })).toBe(204);
    expect(await call(owner, 'PATCH', `${path}/${owner.id}`, { permissions: 1 })).toEqual([
      401,
      'organization_owner_kept',
    ]);
    expect(await call(owner, 'PATCH', teamPath(3, ours.team, 'owner'), { user_id: other.id })).toEqual([
      400,
      'owned_by_organization',
    ]);
  });
});

describe('the team of an organization', () => {
  it('invites with organization permissions and notifies', async () => {
    const house = await build.organization(database.sql, { owner });
    const path = teamPath(3, house.team_id, 'members');
    const invitation = { user_id: other.id, role: 'Mason', permissions: 3, organization_permissions: 2 };
    expect(await call(owner, 'POST', path, invitation)).toBe(204);
    expect(await rowOf(house.team_id, other)).toMatchObject({ permissions: 3, organization_permissions: 2 });
    expect(await notificationsOf(other)).toMatchObject([
      {
        type: 'organization_invite',
        body: { organization_id: house.id, team_id: house.team_id, invited_by: owner.id, role: 'Mason' },
      },
    ]);
    expect(await call(other, 'POST', teamPath(3, house.team_id, 'join'))).toBe(204);
    const third = await build.user(database.sql);
    const beyond = { user_id: third.id, organization_permissions: 3 };
    expect(await call(other, 'POST', path, beyond)).toEqual([400, 'permissions_exceeded']);
    expect(await call(other, 'POST', path, { user_id: third.id, permissions: 1 })).toEqual([
      401,
      'permission_missing',
    ]);
    expect(await call(other, 'POST', path, { user_id: third.id })).toBe(204);
    expect(await rowOf(house.team_id, third)).toMatchObject({ permissions: 0, organization_permissions: 0 });
  });

  it('passes to a new owner, who leaves the teams of its projects', async () => {
    const house = await build.organization(database.sql, { owner });
    const ours = await build.project(database.sql, { organization: house });
    const elsewhere = await build.project(database.sql);
    await build.member(database.sql, house.team_id, other, { organization_permissions: 1 });
    for (const { team } of [ours, elsewhere])
      await build.member(database.sql, team, other, { permissions: 1 });
    expect(await call(owner, 'PATCH', teamPath(2, house.team_id, 'owner'), { user_id: other.id })).toBe(204);
    expect(await rowOf(house.team_id, other)).toMatchObject({
      is_owner: true,
      permissions: 1023,
      organization_permissions: 255,
    });
    expect(await rowOf(house.team_id, owner)).toMatchObject({
      is_owner: false,
      organization_permissions: 255,
    });
    expect(await rowOf(ours.team, other)).toBeNull();
    expect(await rowOf(elsewhere.team, other)).not.toBeNull();
  });
});
