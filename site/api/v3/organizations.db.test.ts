import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventsAfter } from '#db/platform/events/read.ts';
import { collectGarbage } from '#db/platform/files/garbage-collect.ts';
import { type Scope, unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

let owner: build.BuiltUser;
let stranger: build.BuiltUser;
beforeEach(async () => {
  owner = await build.user(database.sql);
  stranger = await build.user(database.sql);
});

type Person = { id: string } | null;
const send = async (person: Person, method: string, path: string, json?: unknown) => {
  const token = person ? { token: await build.token(database.sql, person) } : {};
  return await api.call(method, path, { ...token, ...(json === undefined ? {} : { json }) });
};
/** The status, with our code when refused. */
const call = async (...given: Parameters<typeof send>) => {
  const answer = await send(...given);
  const text = await answer.text();
  const code = text === '' ? undefined : JSON.parse(text).details?.code;
  return code === undefined ? answer.status : [answer.status, code];
};
// biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
const read = async (person: Person, path: string): Promise<any> =>
  await (await send(person, 'GET', path)).json();
const rowsOf = async (team_id: string) =>
  await database.sql`select * from team_members where team_id = ${team_id} order by user_id`;
const organizationOf = async (project: { id: string }) =>
  (await database.sql`select organization from projects where id = ${project.id}`)[0]?.organization;
const eventsOf = async (organization_id: string) =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000))
    .filter((event) => event.organization_id === organization_id)
    .map(({ name, data }) => [name, data]);
const withoutScopes = (person: { id: string }, ...left: Scope[]) =>
  build.token(
    database.sql,
    person,
    unrestrictedScopes.filter((scope) => !left.includes(scope)),
  );

describe('creating an organization', () => {
  const data = { slug: 'Stone-Wrights', name: 'Stonewrights', description: 'They cut stones' };

  it('makes the caller its owner with all permissions', async () => {
    const answer = await send(owner, 'POST', '/v3/organization', data);
    expect(answer.status).toBe(200);
    const made = (await answer.json()) as Record<string, unknown>;
    expect(made).toMatchObject({
      slug: 'stone-wrights',
      name: 'Stonewrights',
      description: 'They cut stones',
      icon_url: null,
      color: null,
      members: [
        {
          team_id: made.team_id,
          role: 'Member',
          is_owner: true,
          accepted: true,
          permissions: 1023,
          organization_permissions: 255,
          payouts_split: 100,
          ordering: 0,
          user: { id: owner.id, username: owner.username },
        },
      ],
    });
    expect(Object.keys(made)).not.toContain('moderation_notes');
    expect(await eventsOf(made.id as string)).toEqual([['organization.created', {}]]);
    expect(await call(stranger, 'POST', '/v3/organization', { ...data, slug: 'STONE-wrights' })).toEqual([
      400,
      'organization_slug_taken',
    ]);
    const as_id = { ...data, slug: (made.id as string).toUpperCase() };
    expect(await call(stranger, 'POST', '/v3/organization', as_id)).toEqual([400, 'organization_slug_taken']);
  });

  it.each([
    [{ slug: 'ab' }, 'slug_invalid'],
    [{ slug: 'a b c' }, 'slug_invalid'],
    [{ slug: 'x'.repeat(65) }, 'slug_invalid'],
    [{ name: 'ab' }, 'invalid_input'],
    [{ name: 'x'.repeat(65) }, 'invalid_input'],
    [{ name: 'a\0bc' }, 'invalid_input'],
    [{ description: 'ab' }, 'invalid_input'],
    [{ description: 'x'.repeat(257) }, 'invalid_input'],
    [{ description: undefined }, 'invalid_input'],
  ])('refuses %j', async (wrong, code) => {
    expect(await call(owner, 'POST', '/v3/organization', { ...data, slug: 'other', ...wrong })).toEqual([
      400,
      code,
    ]);
    expect(await database.sql`select 1 from team_members where user_id = ${owner.id}`).toHaveLength(0);
  });

  it('stops at sixteen, needs a verified address and the scope, and answers as a create route', async () => {
    for (let count = 0; count < 16; count++) await build.organization(database.sql, { owner });
    const full = await send(owner, 'POST', '/v3/organization', { ...data, slug: 'one-more' });
    expect([full.status, ((await full.json()) as { error: string }).error]).toEqual([400, 'limit_reached']);
    const admin = await build.user(database.sql, { role: 'admin' });
    expect(await read(owner, '/v3/limits/organizations')).toEqual({ current: 16, max: 16 });
    const text = await (await send(admin, 'GET', '/v3/limits/organizations')).text();
    expect(text).toBe('{"current":0,"max":18446744073709551615}');
    const unverified = await build.user(database.sql, { email_verified: false });
    expect(await call(unverified, 'POST', '/v3/organization', { ...data, slug: 'mine' })).toEqual([
      401,
      'email_unverified',
    ]);
    const token = await withoutScopes(stranger, 'ORGANIZATION_CREATE');
    const answer = await api.call('POST', '/v3/organization', { token, json: { ...data, slug: 'mine' } });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      401,
      'unauthorized',
    ]);
  });
});

describe('seeing an organization', () => {
  it('is for its members and moderators until it has a searchable project or a second member', async () => {
    const house = await build.organization(database.sql, { owner });
    const invitee = await build.user(database.sql);
    await build.member(database.sql, house.team_id, invitee, { accepted: false });
    const moderator = await build.user(database.sql, { role: 'moderator' });
    const seen = async () => {
      const found: number[] = [];
      for (const person of [null, stranger, invitee, owner, moderator]) {
        const { status } = await send(person, 'GET', `/v3/organization/${house.slug.toUpperCase()}`);
        const listed = (await read(person, `/v3/organizations?ids=["${house.id}","nothing"]`)).length;
        const of_user = (await read(person, `/v3/user/${owner.username}/organizations`)).length;
        expect([listed, of_user]).toEqual(status === 200 ? [1, 1] : [0, 0]);
        for (const below of ['members', 'projects']) {
          expect(await call(person, 'GET', `/v3/organization/${house.id}/${below}`)).toEqual(
            status === 200 ? 200 : [404, 'not_found'],
          );
        }
        found.push(status);
      }
      return found;
    };
    expect(await seen()).toEqual([404, 404, 200, 200, 200]);
    for (const status of ['draft', 'rejected', 'unlisted', 'private', 'withheld']) {
      await build.project(database.sql, { organization: house, status });
    }
    expect(await seen()).toEqual([404, 404, 200, 200, 200]);
    await build.project(database.sql, { organization: house });
    expect(await seen()).toEqual([200, 200, 200, 200, 200]);
    await database.sql`update projects set status = 'draft' where organization = ${house.id}`;
    await build.member(database.sql, house.team_id, await build.user(database.sql));
    expect(await seen()).toEqual([200, 200, 200, 200, 200]);
  });

  it('shows invitations and permissions to members only, notes to moderators only', async () => {
    const house = await build.organization(database.sql, { owner });
    await build.project(database.sql, { organization: house });
    const invitee = await build.user(database.sql);
    await build.member(database.sql, house.team_id, invitee, { accepted: false });
    const path = `/v3/organization/${house.id}`;
    const members = async (person: Person) =>
      (await read(person, path)).members.map(
        (one: { accepted: boolean; organization_permissions: number }) => [
          one.accepted,
          one.organization_permissions,
        ],
      );
    expect(await members(null)).toEqual([[true, null]]);
    expect(await members(invitee)).toEqual([
      [true, null],
      [false, null],
    ]);
    expect(await members(owner)).toEqual([
      [true, 255],
      [false, null],
    ]);
    expect(await read(owner, `${path}/members`)).toHaveLength(2);
    expect(await read(null, `/v3/team/${house.team_id}/members`)).toHaveLength(1);
    expect(await read(owner, `/v3/teams?ids=["${house.team_id}","nowhere1"]`)).toMatchObject([[{}, {}]]);
    const moderator = await build.user(database.sql, { role: 'moderator' });
    await database.sql`insert into moderation_notes ${database.sql({ organization_id: house.id, notes: 'Watch' })}`;
    expect((await read(moderator, path)).moderation_notes).toMatchObject({ notes: 'Watch', version: 1 });
    expect(await read(owner, path)).not.toHaveProperty('moderation_notes');
    const token = await withoutScopes(owner, 'ORGANIZATION_READ');
    const narrow = (await (await api.call('GET', path, { token })).json()) as { members: unknown[] };
    expect(narrow.members).toHaveLength(1);
  });

  it.each([
    ['/v3/organization/nothing-here', 404, 'not_found'],
    ['/v3/organization/%00', 404, 'not_found'],
    ['/v3/organizations', 400, 'invalid_input'],
    ['/v3/organizations?ids=[1]', 400, 'invalid_input'],
    ['/v3/user/nobody-at-all/organizations', 404, 'not_found'],
    ['/v3/user/nobody-at-all/all-projects', 404, 'not_found'],
    ['/v3/project/nothing-here/organization', 400, 'project_unknown'],
    ['/v3/project/nothing-here/members', 404, 'not_found'],
    ['/v3/limits/projects', 401, 'authentication_required'],
  ])('%s is %i', async (path, status, code) => {
    expect(await call(null, 'GET', path)).toEqual([status, code]);
  });
});

describe('the organization of a project', () => {
  it('is 404 without one, and 400 for a hidden project', async () => {
    const house = await build.organization(database.sql, { owner });
    const ours = await build.project(database.sql, { organization: house });
    const draft = await build.project(database.sql, { organization: house, status: 'draft' });
    const free = await build.project(database.sql);
    expect(await read(null, `/v3/project/${ours.slug}/organization`)).toMatchObject({ id: house.id });
    expect(await call(null, 'GET', `/v3/project/${free.id}/organization`)).toEqual([404, 'not_found']);
    expect(await call(stranger, 'GET', `/v3/project/${draft.id}/organization`)).toEqual([
      400,
      'project_unknown',
    ]);
    expect(await read(owner, `/v3/project/${draft.id}/organization`)).toMatchObject({ id: house.id });
    expect(await read(null, `/v3/project/${free.id}/members`)).toMatchObject([
      { is_owner: true, role: 'Member' },
    ]);
    expect(await call(stranger, 'GET', `/v3/project/${draft.id}/members`)).toEqual([404, 'not_found']);
  });
});

describe('the projects', () => {
  it('of an organization and of a user leave out what the viewer may not see', async () => {
    const house = await build.organization(database.sql, { owner });
    const listed = await build.project(database.sql, { organization: house, downloads: 5 });
    const hidden = await build.project(database.sql, { organization: house, status: 'rejected' });
    await build.project(database.sql, { organization: house, status: 'unlisted' });
    await database.sql`insert into takedowns ${database.sql({
      ...{ id: hidden.id, project_id: hidden.id, project_title: 'Hidden', kind: 'order', reason: 'Ordered' },
      status_before: 'approved',
      placed: new Date(),
    })}`;
    const own = await build.project(database.sql, { owner, downloads: 3 });
    const ids = async (person: Person, path: string) => {
      const answer = await read(person, path);
      return (answer.projects ?? answer).map(({ id }: { id: string }) => id);
    };
    const path = `/v3/organization/${house.id}/projects`;
    expect(await ids(null, path)).toEqual([listed.id]);
    expect(await ids(stranger, path)).toEqual([listed.id]);
    expect(await ids(owner, path)).toHaveLength(3);
    const all = `/v3/user/${owner.username}/all-projects`;
    expect(await ids(stranger, all)).toEqual([listed.id, own.id]);
    expect(await ids(owner, all)).toHaveLength(4);
    const { organizations } = await read(null, all);
    expect(Object.keys(organizations)).toEqual([house.id]);
    expect(organizations[house.id]).toMatchObject({ slug: house.slug, members: [{ is_owner: true }] });
    expect(await read(owner, '/v3/limits/projects')).toEqual({ current: 4, max: 256 });
    expect(await read(owner, '/v3/limits/collections')).toEqual({ current: 0, max: 32 });
  });
});

describe('changing an organization', () => {
  it('keeps absent fields, accepts its own slug, and frees the old one', async () => {
    const house = await build.organization(database.sql, { owner });
    const path = `/v3/organization/${house.id}`;
    expect(await call(owner, 'PATCH', path, { name: 'New name', slug: 'A-New-Slug' })).toBe(204);
    expect(await read(owner, '/v3/organization/a-new-slug')).toMatchObject({
      name: 'New name',
      description: 'Made for a test',
    });
    expect(await call(owner, 'PATCH', path, { slug: 'a-new-slug' })).toBe(204);
    expect(await call(owner, 'GET', `/v3/organization/${house.slug}`)).toEqual([404, 'not_found']);
    const second = await build.organization(database.sql, { owner, slug: 'the-second' });
    expect(await call(owner, 'PATCH', path, { slug: 'THE-second' })).toEqual([
      400,
      'organization_slug_taken',
    ]);
    expect(await call(owner, 'PATCH', path, { slug: second.id })).toEqual([400, 'organization_slug_taken']);
    expect(await call(owner, 'PATCH', path, { slug: 'no' })).toEqual([400, 'slug_invalid']);
    expect(await call(owner, 'PATCH', path, { name: '  a  '.trim() })).toEqual([400, 'invalid_input']);
    expect(await eventsOf(house.id)).toEqual([['organization.edited', { fields: ['slug', 'name'] }]]);
  });

  it('needs its one permission and its scope', async () => {
    const house = await build.organization(database.sql, { owner });
    await build.project(database.sql, { organization: house });
    const member = await build.user(database.sql);
    const moderator = await build.user(database.sql, { role: 'moderator' });
    await build.member(database.sql, house.team_id, member, { organization_permissions: 255 & ~1 & ~64 });
    const path = `/v3/organization/${house.id}`;
    const before = await database.sql`select * from organizations where id = ${house.id}`;
    expect(await call(null, 'PATCH', path, { name: 'Other' })).toEqual([401, 'authentication_required']);
    expect(await call(stranger, 'PATCH', path, { name: 'Other' })).toEqual([401, 'not_a_member']);
    expect(await call(member, 'PATCH', path, { name: 'Other' })).toEqual([401, 'permission_missing']);
    expect(await call(stranger, 'DELETE', path)).toEqual([401, 'not_a_member']);
    expect(await call(member, 'DELETE', path)).toEqual([401, 'permission_missing']);
    expect(await call(moderator, 'DELETE', path)).toEqual([401, 'permission_missing']);
    const token = await withoutScopes(owner, 'ORGANIZATION_WRITE', 'ORGANIZATION_DELETE');
    expect((await api.call('PATCH', path, { token, json: { name: 'Other' } })).status).toBe(401);
    expect((await api.call('DELETE', path, { token })).status).toBe(401);
    expect(await database.sql`select * from organizations where id = ${house.id}`).toEqual(before);
    const hidden = await build.organization(database.sql);
    expect(await call(stranger, 'PATCH', `/v3/organization/${hidden.id}`, { name: 'Other' })).toEqual([
      404,
      'not_found',
    ]);
    expect(await call(moderator, 'PATCH', path, { name: 'Other' })).toBe(204);
  });
});

describe('a project', () => {
  it('joins an organization without its owner and that of the organization, and comes back', async () => {
    const { sql } = database;
    const house = await build.organization(sql);
    await build.member(sql, house.team_id, owner, { permissions: 1, organization_permissions: 16 | 32 });
    const project = await build.project(sql, { owner });
    const helper = await build.user(sql);
    await build.member(sql, project.team, helper, { permissions: 1 });
    await build.member(sql, project.team, house.owner, { permissions: 1, payouts_split: 7 });
    const path = `/v3/organization/${house.slug}/projects`;
    const added = await send(owner, 'POST', path, { project_id: project.slug });
    expect([added.status, await added.text()]).toEqual([200, '']);
    expect(await organizationOf(project)).toBe(house.id);
    expect((await rowsOf(project.team)).map(({ user_id }) => user_id)).toEqual([helper.id]);
    expect(await call(owner, 'POST', path, { project_id: project.id })).toEqual([
      400,
      'already_in_organization',
    ]);

    const back = `${path}/${project.id}`;
    expect(await call(owner, 'DELETE', back, { new_owner: stranger.id })).toEqual([
      400,
      'new_owner_not_member',
    ]);
    expect(await call(stranger, 'DELETE', back, { new_owner: owner.id })).toEqual([401, 'not_a_member']);
    expect(await call(owner, 'DELETE', back, {})).toEqual([400, 'invalid_input']);
    expect(await organizationOf(project)).toBe(house.id);
    const removed = await send(owner, 'DELETE', back, { new_owner: owner.id });
    expect([removed.status, await removed.text()]).toEqual([200, '']);
    expect(await organizationOf(project)).toBeNull();
    expect((await rowsOf(project.team)).find(({ user_id }) => user_id === owner.id)).toMatchObject({
      role: 'Inherited Owner',
      is_owner: true,
      accepted: true,
      permissions: 1023,
      organization_permissions: null,
      payouts_split: '0',
    });
    expect(await call(owner, 'DELETE', back, { new_owner: owner.id })).toEqual([400, 'not_in_organization']);
    expect(await eventsOf(house.id)).toEqual(
      Array(2).fill(['organization.edited', { project_ids: [project.id] }]),
    );
  });

  it('is only added by its owner who is a member of both, and only when it is visible', async () => {
    const { sql } = database;
    const house = await build.organization(sql);
    await build.project(sql, { organization: house });
    const project = await build.project(sql, { owner });
    const draft = await build.project(sql, { status: 'draft' });
    const path = `/v3/organization/${house.id}/projects`;
    const add = (person: Person, project_id = project.id) => call(person, 'POST', path, { project_id });
    expect(await add(owner)).toEqual([400, 'both_teams_required']);
    await build.member(sql, house.team_id, owner, { organization_permissions: 255 & ~16 });
    expect(await add(owner)).toEqual([401, 'permission_missing']);
    const helper = await build.user(sql);
    await build.member(sql, project.team, helper, { permissions: 1023 });
    await build.member(sql, house.team_id, helper, { organization_permissions: 255 });
    expect(await add(helper)).toEqual([401, 'owner_only']);
    expect(await add(owner, draft.id)).toEqual([400, 'project_unknown']);
    expect(await add(owner, 'a\0b')).toEqual([400, 'project_unknown']);
    expect(await add(await build.user(sql, { role: 'admin' }))).toEqual([400, 'both_teams_required']);
    for (const scope of ['PROJECT_WRITE', 'ORGANIZATION_WRITE'] as const) {
      const token = await withoutScopes(owner, scope);
      expect((await api.call('POST', path, { token, json: { project_id: project.id } })).status).toBe(401);
    }
    expect(await organizationOf(project)).toBeNull();
    expect(await rowsOf(project.team)).toHaveLength(2);
  });
});

describe('deleting an organization', () => {
  it('gives its projects to its owner', async () => {
    const { sql } = database;
    const house = await build.organization(sql, { owner });
    const [first, second] = [
      await build.project(sql, { organization: house }),
      await build.project(sql, { organization: house, status: 'draft' }),
    ];
    await build.member(sql, first.team, owner, { permissions: 1, role: 'Helper', payouts_split: 9 });
    expect(await call(owner, 'DELETE', `/v3/organization/${house.slug}`)).toBe(204);
    for (const [project, payouts_split] of [
      [first, '9'],
      [second, '0'],
    ] as const) {
      expect(await organizationOf(project)).toBeNull();
      expect(await rowsOf(project.team)).toMatchObject([
        { user_id: owner.id, is_owner: true, role: 'Inherited Owner', permissions: 1023, payouts_split },
      ]);
    }
    expect(await call(owner, 'GET', `/v3/organization/${house.id}`)).toEqual([404, 'not_found']);
    expect(await rowsOf(house.team_id)).toEqual([]);
    const [[name, data]] = (await eventsOf(house.id)) as [[string, { slug: string; project_ids: string[] }]];
    expect([name, data.slug]).toEqual(['organization.deleted', house.slug]);
    expect(data.project_ids.toSorted()).toEqual([first.id, second.id].toSorted());
  });
});

describe('the icon', () => {
  const picture = async (background: string) =>
    await sharp({ create: { width: 200, height: 200, channels: 3, background } })
      .png()
      .toBuffer();
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of api.services.storage.list('data/organizations')) found.push(key);
    return found;
  };

  it('is stored, replaced, kept by the garbage collection, and removed with the organization', async () => {
    const house = await build.organization(database.sql, { owner });
    const path = `/v3/organization/${house.id}`;
    const token = await build.token(database.sql, owner);
    const set = async (background: string, given: string | undefined = token, ext = 'png') =>
      (
        await api.call('PATCH', `${path}/icon?ext=${ext}`, {
          ...(given ? { token: given } : {}),
          body: new Uint8Array(await picture(background)),
        })
      ).status;
    expect(await set('#ff0000')).toBe(204);
    const red = await read(owner, path);
    expect(red).toMatchObject({ icon_url: expect.stringContaining(house.id), color: 0xff0000 });
    expect(await set('#0000ff')).toBe(204);
    expect((await read(owner, path)).icon_url).not.toBe(red.icon_url);
    const stored = await keys();
    expect(stored.length).toBeGreaterThan(0);
    expect(await set('#00ff00', await build.token(database.sql, stranger))).toBe(404);
    expect(await set('#00ff00', '')).toBe(401);
    expect(await set('#00ff00', token, 'exe')).toBe(400);
    expect(await keys()).toEqual(stored);
    const later = new Date(Date.now() + 48 * 3_600_000);
    await collectGarbage(database.sql, api.services.storage, later, { force: true });
    expect(await keys()).toEqual(stored);
    expect(await call(owner, 'DELETE', `${path}/icon`)).toBe(204);
    expect(await keys()).toEqual([]);
    expect(await read(owner, path)).toMatchObject({ icon_url: null, color: null });
    expect(await set('#ff0000')).toBe(204);
    expect(await call(owner, 'DELETE', path)).toBe(204);
    expect(await keys()).toEqual([]);
  });
});
