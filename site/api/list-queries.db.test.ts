import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#db/platform/id.ts';
import * as build from '#db/testing/builders/build.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { publicApis } from './app.ts';
import { documentOf } from './openapi-document.ts';

/**
 * Statements of look-ups by ids and of lists, beyond those that find out who asks: no more for more items. Versions have
 * a test of their own.
 */
const database = testDatabase();
const api = testApi(database);

type Noun =
  | 'projects'
  | 'users'
  | 'teams'
  | 'organizations'
  | 'threads'
  | 'notifications'
  | 'reports'
  | 'collections';

/** A hundred of each noun, all visible to the moderator who asks; lists of the moderator's own have them too. */
const ids = {} as Record<Noun, string[]>;
let moderator: build.BuiltUser;
let token: string;
let asModerator: string;
let asAnyone: string;

/** Reports of these projects, each with its thread. */
async function report(
  projects: readonly build.BuiltProject[],
  by: (at: number) => build.BuiltUser,
): Promise<Array<{ id: string }>> {
  const made = projects.map(({ id: project_id }) => ({ id: newId(), thread_id: newId(), project_id }));
  await database.sql.begin(async (tx) => {
    const threads = made.map(({ id, thread_id }) => ({ id: thread_id, type: 'report', report_id: id }));
    await tx`insert into threads ${tx(threads)}`;
    const said = { report_type: 'spam', item_type: 'project', body: 'Too much' };
    await tx`insert into reports ${tx(made.map((row, at) => ({ ...row, ...said, reporter: by(at).id })))}`;
  });
  return made;
}

beforeAll(async () => {
  const { sql } = database;
  moderator = await build.user(sql, { role: 'moderator' });
  asModerator = await build.token(sql, moderator);
  asAnyone = await build.token(sql, await build.user(sql));
  const amount = Array.from({ length: 100 }, (_, at) => at);
  const projects = await Promise.all(
    amount.map(async () => {
      const project = await build.project(sql);
      await build.version(sql, project);
      await build.member(sql, project.team, await build.user(sql));
      await build.follow(sql, moderator, project);
      return project;
    }),
  );
  const organizations = await Promise.all(
    amount.map(async () => {
      const organization = await build.organization(sql);
      await build.project(sql, { organization });
      await build.member(sql, organization.team_id, await build.user(sql));
      return organization;
    }),
  );
  const collections = await Promise.all(
    projects.map(async (project) => await build.collection(sql, [project])),
  );
  const reports = await report(projects, (at) => (at % 2 ? moderator : projects[at]!.owner));
  const notifications = projects.map(({ id }) => ({ id: newId(), user_id: moderator.id, project_id: id }));
  await sql`insert into notifications ${sql(
    notifications.map(({ project_id, ...row }, at) => ({
      ...row,
      type: 'status_change',
      body: sql.json({ project_id, old_status: 'draft', new_status: at % 2 ? 'approved' : 'rejected' }),
    })),
  )}`;
  const threads = await sql<Array<{ id: string }>>`
    select thread_id as id from projects where id = any(${projects.map(({ id }) => id)})`;
  const message = {
    author_id: moderator.id,
    type: 'text',
    body: sql.json({ body: 'A message', replying_to: null }),
  };
  await sql`insert into thread_messages ${sql(threads.map(({ id }) => ({ id: newId(), thread_id: id, ...message })))}`;
  const idsOf = (rows: ReadonlyArray<{ id: string }>) => rows.map(({ id }) => id);
  Object.assign(ids, {
    projects: idsOf(projects),
    users: projects.map(({ owner }) => owner.id),
    teams: projects.map(({ team }) => team),
    organizations: idsOf(organizations),
    threads: idsOf(threads),
    notifications: idsOf(notifications),
    reports: idsOf(reports),
    collections: idsOf(collections),
  });
});

async function ask(path: string): Promise<{ queries: number; items: number }> {
  const counting = countingQueries(database.sql);
  const services = api.services as { sql: typeof counting.sql };
  services.sql = counting.sql;
  try {
    const answer = await api.call('GET', path, { token });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.any(String)]);
    return { queries: counting.count(), items: Object.keys(JSON.parse(text)).length };
  } finally {
    services.sql = database.sql;
  }
}

/** The statements that find the caller of a token. */
const ofCaller = async (): Promise<number> => (await ask('/v2/versions?ids=[]')).queries;

const byIds: Array<[path: string, Noun]> = [
  ['/v2/projects', 'projects'],
  ['/v3/projects', 'projects'],
  ['/v2/users', 'users'],
  ['/v3/users', 'users'],
  ['/v2/teams', 'teams'],
  ['/v3/teams', 'teams'],
  ['/v3/organizations', 'organizations'],
  ['/v2/threads', 'threads'],
  ['/v3/threads', 'threads'],
  ['/v2/notifications', 'notifications'],
  ['/v3/notifications', 'notifications'],
  ['/v2/reports', 'reports'],
  ['/v3/reports', 'reports'],
  ['/v3/collections', 'collections'],
];

test.each(byIds)('%s: 100 ids take at most 3 statements, as many as 1', async (path, noun) => {
  // moderators also get their notes about organizations
  token = noun === 'organizations' ? asAnyone : asModerator;
  const of = async (count: number) => await ask(`${path}?ids=${JSON.stringify(ids[noun].slice(0, count))}`);
  await of(1); // reads that are cached for a minute
  const one = await of(1);
  const hundred = await of(100);
  expect([one.items, hundred.items]).toEqual([1, 100]);
  expect(hundred.queries).toBe(one.queries);
  expect(hundred.queries - (await ofCaller())).toBeLessThanOrEqual(3);
});

describe('answers are in the order of the ids', () => {
  const idsOf = (noun: Noun | 'versions' | 'apps', answer: unknown[]): string[] =>
    noun === 'teams'
      ? (answer as Array<Array<{ team_id: string }>>).map(([member]) => member!.team_id)
      : (answer as Array<{ id: string }>).map(({ id }) => id);
  const others: Record<'versions' | 'apps', string[]> = { versions: [], apps: [] };
  beforeAll(async () => {
    const { sql } = database;
    const versions = await sql<Array<{ id: string }>>`
      select id from versions where project_id = any(${ids.projects})`;
    others.versions = versions.map(({ id }) => id);
    others.apps = ['app1', 'app2', 'app3'];
    for (const id of others.apps)
      await sql`insert into oauth_clients ${sql({ id, name: id, max_scopes: 0, created_by: moderator.id, created: new Date() })}`;
  });
  const lists = [
    ...byIds,
    ['/v2/versions', 'versions'],
    ['/v3/versions', 'versions'],
    ['/v3/oauth/apps', 'apps'],
  ] as const;

  test.each(lists)('%s', async (path, noun) => {
    const all = (noun === 'versions' || noun === 'apps' ? others[noun] : ids[noun]).slice(0, 7);
    const mixed = [...all.slice(1).toReversed(), all[0]!];
    for (const asked of [all, mixed, [...mixed, all[0]!]]) {
      const text = noun === 'apps' ? asked.join() : JSON.stringify(asked);
      const answer = await api.call('GET', `${path}?ids=${text}`, {
        token: noun === 'organizations' ? asAnyone : asModerator,
      });
      expect(idsOf(noun, (await answer.json()) as unknown[])).toEqual([...new Set(asked)]);
    }
  });

  test('these are all routes that read things by ids', () => {
    const found = Object.entries(publicApis(api.services)).flatMap(([prefix, one]) =>
      Object.entries(documentOf(one, prefix, 'https://mods.example').paths ?? {}).flatMap(
        ([path, { get }]) =>
          get?.parameters?.some((given) => 'name' in given && given.name === 'ids') ? [prefix + path] : [],
      ),
    );
    expect(lists.map(([path]) => path).sort()).toEqual(found.sort());
  });
});

/** A user with so many of everything that lists of users have. */
async function collector(
  count: number,
): Promise<{ user: build.BuiltUser; session: string; organization: build.BuiltOrganization }> {
  const { sql } = database;
  const user = await build.user(sql);
  const organization = await build.organization(sql, { owner: user });
  for (let at = 0; at < count; at++) {
    const project = await build.project(sql, { owner: user });
    await build.version(sql, project);
    await build.follow(sql, user, project);
    await build.project(sql, { organization });
    if (at > 0) await build.project(sql, { organization: await build.organization(sql, { owner: user }) });
    await build.member(sql, organization.team_id, await build.user(sql));
    await build.collection(sql, [project], { owner: user });
    const other = await build.user(sql);
    await sql`insert into friends ${sql({ user_id: user.id, friend_id: other.id, accepted: at % 2 === 0 })}`;
    await sql`insert into blocks ${sql({ user_id: user.id, blocked_id: (await build.user(sql)).id })}`;
    const body = { project_id: project.id, old_status: 'draft', new_status: 'approved' };
    await sql`insert into notifications ${sql({ id: newId(), user_id: user.id, type: 'status_change', body: sql.json(body) })}`;
    await report([project], () => user);
  }
  return { user, organization, session: await build.token(sql, user) };
}

test('lists of a user and of an organization take as many statements for 20 as for 1', async () => {
  const few = await collector(1);
  const many = await collector(20);
  const lists = ({ user, organization }: typeof few): string[] => [
    ...['projects', 'follows', 'notifications'].map((list) => `/v2/user/${user.id}/${list}`),
    ...['projects', 'follows', 'notifications', 'organizations', 'collections', 'all-projects'].map(
      (list) => `/v3/user/${user.id}/${list}`,
    ),
    ...['/v2/report', '/v3/report', '/v3/friends', '/v3/blocks'],
    ...['members', 'projects'].map((list) => `/v3/organization/${organization.id}/${list}`),
    `/v2/team/${organization.team_id}/members`,
    `/v3/team/${organization.team_id}/members`,
  ];
  const [short, long] = [lists(few), lists(many)];
  const differing: string[] = [];
  for (const [at, path] of short.entries()) {
    token = few.session;
    await ask(path);
    const one = await ask(path);
    token = many.session;
    await ask(long[at]!);
    const twenty = await ask(long[at]!);
    if (one.queries !== twenty.queries) differing.push(`${path}: ${one.queries} and ${twenty.queries}`);
    if (twenty.items < one.items) differing.push(`${path}: ${one.items} and ${twenty.items} items`);
  }
  expect(differing).toEqual([]);
});
