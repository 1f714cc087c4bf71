import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../platform/people/rules.ts';
import { actorFor, member, organization, project, user, version } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { accessTo } from '../teams/access.ts';
import { refsOfUser } from './of-user.ts';
import { currentSlugOf, findProject, projectRef, projectsByIds, randomRows } from './read.ts';
import { statuses } from './rules.ts';
import { projectShape } from './shape.ts';

const database = testDatabase();

describe('a project', () => {
  it('is found by its id (case-sensitive) and by its slug (case-insensitive)', async () => {
    const { id, slug } = await project(database.sql, { slug: 'sodium-like' });
    for (const name of [id, slug, 'Sodium-LIKE'])
      expect((await findProject(database, name, null))?.id).toBe(id);
    const other = id === id.toLowerCase() ? id.toUpperCase() : id.toLowerCase();
    expect(await findProject(database, other, null)).toBeNull();
  });

  it('is not found by invalid names', async () => {
    for (const name of ['', '\0', 'a b', 'ä', "'", 'x'.repeat(5000)]) {
      expect(await findProject(database, name, null)).toBeNull();
      expect(await projectRef(database.sql, name)).toBeNull();
    }
  });

  it('has the v2 shape', async () => {
    const made = await project(database.sql, {
      license_id: 'MIT',
      categories: ['storage'],
      description: 'Short',
    });
    const old = await version(database.sql, made, {
      date_published: '2024-01-01T00:00:00Z',
      loaders: ['fabric', 'quilt'],
      environment: 'client_only',
    });
    const archived = await version(database.sql, made, {
      date_published: '2024-02-01T00:00:00Z',
      status: 'archived',
      game_versions: ['1.20.2'],
    });
    await version(database.sql, made, {
      date_published: '2024-03-01T00:00:00Z',
      status: 'draft',
      loaders: ['forge'],
    });
    await version(database.sql, made, { date_published: '2024-03-02T00:00:00Z', status: 'unlisted' });
    await database.sql`insert into gallery ${database.sql([
      {
        project_id: made.id,
        key: 'data/x/images/b_350.webp',
        raw_key: 'data/x/images/b.png',
        ordering: 2,
        title: 'Later',
        created: '2024-01-01T00:00:00Z',
      },
      {
        project_id: made.id,
        key: 'data/x/images/a_350.webp',
        raw_key: 'data/x/images/a.png',
        ordering: 1,
        title: null,
        created: '2024-01-02T00:00:00.5Z',
      },
    ])}`;
    const displayed = projectShape.parse(await findProject(database, made.id, null));
    expect(displayed).toMatchObject({
      id: made.id,
      team: made.team,
      organization: null,
      project_type: 'mod',
      status: 'approved',
      license: { id: 'MIT', name: 'MIT License', url: null },
      versions: [old.id, archived.id],
      loaders: ['fabric', 'quilt'],
      game_versions: ['1.20.1', '1.20.2'],
      client_side: 'required',
      server_side: 'unsupported',
      environment: ['client_and_server', 'client_only'],
      updated: '2024-02-01T00:00:00Z',
      body_url: null,
      icon_url: null,
      moderator_message: null,
    });
    expect(displayed.gallery.map(({ title, created }) => [title, created])).toEqual([
      [null, '2024-01-02T00:00:00.5Z'],
      ['Later', '2024-01-01T00:00:00Z'],
    ]);
    expect(displayed.gallery[0]?.raw_url).toMatch(/\/data\/x\/images\/a\.png$/);
  });

  it('of type modpack shows the loaders of the pack', async () => {
    const made = await project(database.sql);
    await version(database.sql, made, { loaders: ['mrpack'], mrpack_loaders: ['fabric'] });
    expect(await findProject(database, made.id, null)).toMatchObject({
      project_type: 'modpack',
      loaders: ['fabric'],
    });
  });

  it('with the archived disclosure is shown as archived if it was approved', async () => {
    const displayed = async (given: Parameters<typeof project>[1]) =>
      (await findProject(database, (await project(database.sql, given)).id, null))?.status;
    expect(await displayed({ archived: true })).toBe('archived');
    expect(await displayed({ archived: true, status: 'unlisted' })).toBe('unlisted');
  });

  it('redirects from a former slug', async () => {
    const made = await project(database.sql);
    await database.sql`insert into old_slugs (slug, project_id) values ('once-upon', ${made.id})`;
    expect(await currentSlugOf(database.sql, 'Once-Upon')).toBe(made.slug);
    expect(await currentSlugOf(database.sql, 'never-was')).toBeNull();
    expect(await findProject(database, 'once-upon', null)).toBeNull();
  });
});

describe('visibility of projects', () => {
  const hidden = ['private', 'draft', 'processing', 'rejected', 'scheduled', 'unknown'];
  const stored = statuses.filter((status) => status !== 'archived');
  const viewers: Record<string, Actor | null> = {};
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const sql = database.sql;
    const owner = await user(sql);
    const accepted = await user(sql);
    const pending = await user(sql);
    const owning = await organization(sql);
    const colleague = await user(sql);
    await member(sql, owning.team_id, colleague, { permissions: 0 });
    for (const status of stored) {
      const made = await project(sql, { status, owner });
      ids[status] = made.id;
      await member(sql, made.team, accepted);
      await member(sql, made.team, pending, { accepted: false });
      await sql`update projects set organization = ${owning.id} where id = ${made.id}`;
    }
    Object.assign(viewers, {
      visitor: null,
      stranger: actorFor(await user(sql)),
      member: actorFor(accepted),
      pending: actorFor(pending),
      colleague: actorFor(colleague),
      moderator: actorFor(await user(sql), { role: 'moderator' }),
      admin: actorFor(await user(sql), { role: 'admin' }),
    });
  });

  it('follows the table for single and bulk reads', async () => {
    for (const [name, viewer] of Object.entries(viewers)) {
      const all = (await projectsByIds(database, Object.values(ids), viewer)).map(({ id }) => id);
      for (const status of stored) {
        const outside = name === 'visitor' || name === 'stranger';
        const sees = !(outside && hidden.includes(status));
        const found = await findProject(database, ids[status]!, viewer);
        expect(found !== null, `${name} ${status}`).toBe(sees);
        expect(all.includes(ids[status]!), `${name} ${status} among many`).toBe(sees);
      }
    }
  });

  it('lists only searchable projects of a user to outsiders', async () => {
    const [owner] = await database.sql<Array<{ user_id: string }>>`
      select user_id from team_members join projects on team = team_id where is_owner and id = ${ids.draft!}`;
    const counts = await Promise.all(
      Object.values(viewers).map(
        async (viewer) => (await refsOfUser(database.sql, owner!.user_id, viewer)).length,
      ),
    );
    expect(
      Object.fromEntries(Object.keys(viewers).map((name, position) => [name, counts[position]])),
    ).toEqual({
      visitor: 1,
      stranger: 1,
      member: 9,
      pending: 9,
      colleague: 9,
      moderator: 9,
      admin: 9,
    });
  });

  it("gives an actor's access to a project", async () => {
    const of = async (name: string) => await accessTo(database.sql, ids.draft!, viewers[name]!);
    expect(await of('visitor')).toEqual({ role: null, project: null, organization: null });
    expect(await of('stranger')).toEqual({ role: 'developer', project: null, organization: null });
    expect((await of('pending')).project).toEqual({
      is_owner: false,
      accepted: false,
      permissions: 0,
      organization_permissions: null,
    });
    expect((await of('colleague')).organization).toEqual({
      is_owner: false,
      accepted: true,
      permissions: 0,
      organization_permissions: null,
    });
    expect(await accessTo(database.sql, 'nowhere1', viewers.moderator!)).toEqual({
      role: 'moderator',
      project: null,
      organization: null,
    });
  });
});

describe('bulk reads', () => {
  it('keep the request order without duplicates, and leave unknown ones out', async () => {
    const a = await project(database.sql);
    const b = await project(database.sql);
    const found = await projectsByIds(
      database,
      [b.slug, 'missing-one', a.id, b.id, a.slug.toUpperCase()],
      null,
    );
    expect(found.map(({ id }) => id)).toEqual([b.id, a.id]);
    expect(await projectsByIds(database, [], null)).toEqual([]);
  });

  it('take at most three round trips for a hundred, some of them hidden', async () => {
    const owner = await user(database.sql);
    const ids: string[] = [];
    for (let i = 0; i < 100; i++) {
      ids.push((await project(database.sql, { owner, status: i % 10 === 0 ? 'draft' : 'approved' })).id);
    }
    let requested = 0;
    const counting = new Proxy(database.sql, {
      apply(target, self, args) {
        const query = Reflect.apply(target as never, self, args) as { then?: unknown };
        return typeof query?.then !== 'function'
          ? query
          : new Proxy(query, {
              get(of, key) {
                if (key === 'then') requested++;
                const value = Reflect.get(of, key);
                return typeof value === 'function' ? value.bind(of) : value;
              },
            });
      },
    });
    const found = await projectsByIds({ ...database, sql: counting }, ids, actorFor(owner));
    expect(found).toHaveLength(100);
    expect(requested).toBeGreaterThan(0);
    expect(requested).toBeLessThanOrEqual(3);
  });

  it('give different random searchable projects, as many as requested and available', async () => {
    const picked = await randomRows(database.sql, { count: 20, from: 'zzzzzzzz' });
    expect(new Set(picked.map(({ id }) => id)).size).toBe(20);
    expect(new Set(picked.map(({ status }) => status))).toSatisfy((found: Set<string>) =>
      [...found].every((status) => ['approved', 'archived'].includes(status)),
    );
  });
});
