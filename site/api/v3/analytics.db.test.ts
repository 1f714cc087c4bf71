import { beforeAll, describe, expect, it } from 'vitest';
import { type AnalyticsRecord, insertRecords } from '#db/discovery/analytics/records.ts';
import { rollUp } from '#db/discovery/analytics/roll-up.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const now = new Date('2026-03-10T15:30:00Z');
const day = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' };

let owner: build.BuiltUser;
let token: string;
let one: build.BuiltProject;
let two: build.BuiltProject;
let pack: build.BuiltProject;
let version: build.BuiltVersion;

const many = (count: number, record: Omit<AnalyticsRecord, 'at'> & { at?: Date }): AnalyticsRecord[] =>
  Array.from({ length: count }, () => ({ at: new Date('2026-03-10T10:15:00Z'), ...record }));

beforeAll(async () => {
  const { sql } = database;
  api.services.now = () => now;
  owner = await build.user(sql);
  token = await build.token(sql, owner);
  one = await build.project(sql, { owner });
  two = await build.project(sql, { owner });
  pack = await build.project(sql);
  version = await build.version(sql, one, {});
  await sql`update versions set date_published = '2026-03-10T09:00:00Z', name = 'First', version_number = '1.0' where id = ${version.id}`;
  await sql`insert into audit_log (event_id, at, name, subject_type, subject_id, data)
    values (1, '2026-03-10T08:00:00Z', 'project.moved', 'project', ${one.id}, '{"from":"processing","to":"approved"}')`;
  const download = { kind: 'download', project_id: one.id, version_id: version.id } as const;
  const records = [
    ...many(60, { ...download, country: 'DE', source: 'app', loader: 'fabric' }),
    ...many(49, { ...download, country: 'US', source: 'prism', dependent_id: pack.id }),
    ...many(3, { ...download, country: 'XX', source: 'other' }),
    ...many(2, { ...download, country: 'XX', source: '' }),
    ...many(7, { ...download, project_id: two.id, version_id: '', at: new Date('2026-03-10T15:05:00Z') }),
    ...many(4, { kind: 'view', project_id: one.id, domain: 'cairn.example', site_path: '/project' }),
    ...many(1, { kind: 'view', project_id: one.id, domain: 'cairn.example', monetized: true }),
    ...many(1, { kind: 'playtime', project_id: one.id, version_id: version.id, amount: 300, country: 'FR' }),
    ...many(9, { kind: 'download', project_id: pack.id }),
  ];
  await sql.begin(async (tx) => await insertRecords(tx, records));
  await rollUp(sql, now, { records_d: 35 });
});

const ask = async (
  return_metrics: object,
  more: { token?: string; project_ids?: string[]; time_range?: object } = {},
) => {
  const time_range = more.time_range ?? { ...day, resolution: { slices: 24 } };
  return await api.call('POST', '/v3/analytics', {
    token: more.token ?? token,
    json: { time_range, return_metrics, project_ids: more.project_ids ?? [] },
  });
};
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
const answerOf = async (...given: Parameters<typeof ask>): Promise<any> => {
  const answer = await ask(...given);
  const body = await answer.json();
  expect(body, JSON.stringify(body)).not.toHaveProperty('error');
  return body;
};

describe('POST /v3/analytics', () => {
  it('gives a list for each slice, with projects and what happened to them', async () => {
    const { metrics, projects, users, project_events } = await answerOf({
      project_downloads: { bucket_by: ['project_id'] },
      project_views: {},
    });
    expect(metrics).toHaveLength(24);
    expect(metrics[10]).toEqual([
      { source_project: null, metric_kind: 'project_views', views: 5 },
      { source_project: one.id, metric_kind: 'project_downloads', downloads: 114 },
    ]);
    expect(metrics[15]).toEqual([{ source_project: two.id, metric_kind: 'project_downloads', downloads: 7 }]);
    expect(metrics.flat()).toHaveLength(3);
    expect(Object.keys(projects).sort()).toEqual([one.id, two.id].sort());
    expect(projects[one.id]).toMatchObject({ id: one.id, slug: one.slug });
    expect(users).toEqual({});
    expect(project_events).toEqual([
      {
        ...{ project_id: one.id, timestamp: '2026-03-10T09:00:00Z', kind: 'version_uploaded' },
        ...{ version_id: version.id, version_name: 'First', version_number: '1.0' },
      },
      {
        ...{ project_id: one.id, timestamp: '2026-03-10T08:00:00Z', kind: 'status_changed' },
        ...{ status_from: 'processing', status_to: 'approved' },
      },
    ]);
  });

  it('tells sums apart by fields, and chooses by them, in the names of the API', async () => {
    const bucket_by = ['user_agent', 'dependent_project_id', 'version_id', 'loader', 'reason', 'monetized'];
    const { metrics, projects } = await answerOf(
      { project_downloads: { bucket_by } },
      { project_ids: [one.id], time_range: { ...day, resolution: { slices: 1 } } },
    );
    const shared = { source_project: null, metric_kind: 'project_downloads', version_id: version.id };
    const rest = { ...shared, reason: null, monetized: false };
    const byAgent = (a: { user_agent: string }, b: { user_agent: string }) =>
      a.user_agent < b.user_agent ? -1 : 1;
    expect(metrics[0].sort(byAgent)).toEqual([
      { ...rest, user_agent: 'modrinth_app', loader: 'fabric', dependent_project_id: null, downloads: 60 },
      { ...rest, user_agent: 'other', loader: null, dependent_project_id: null, downloads: 5 },
      { ...rest, user_agent: 'prism', loader: null, dependent_project_id: pack.id, downloads: 49 },
    ]);
    expect(Object.keys(projects).sort()).toEqual([one.id, pack.id].sort());

    const chosen = async (filter_by: object) =>
      (await answerOf({ project_downloads: { filter_by } })).metrics
        .flat()
        .reduce((sum: number, { downloads }: { downloads: number }) => sum + downloads, 0);
    expect(await chosen({ user_agent: ['modrinth_app'] })).toBe(60);
    expect(await chosen({ user_agent: ['other'] })).toBe(12);
    expect(await chosen({ loader: [null] })).toBe(61);
    expect(await chosen({ project_id: [two.id] })).toBe(7);
    expect(await chosen({ project_id: [pack.id] })).toBe(0);
    expect(await chosen({ dependent_project_id: [pack.id], version_id: [version.id] })).toBe(49);
    expect(await chosen({ version_id: [] })).toBe(0);
    const { metrics: earning } = await answerOf({ project_views: { filter_by: { monetized: [true] } } });
    expect(earning.flat()).toMatchObject([{ views: 1 }]);
  });

  it('folds countries of few counts, and leaves them out where countries are chosen', async () => {
    const byCountry = async (filter_by: object, name = 'project_downloads', bucket_by = ['country']) =>
      (await answerOf({ [name]: { bucket_by, filter_by } }, { project_ids: [one.id] })).metrics.flat();
    const numbers = (await byCountry({})).map((entry: Record<string, unknown>) => [
      entry.country,
      entry.downloads,
    ]);
    expect(numbers.sort()).toEqual([
      ['DE', 60],
      ['XX', 54],
    ]);
    expect(await byCountry({ country: ['DE', 'US'] })).toMatchObject([{ country: 'DE', downloads: 60 }]);
    expect(await byCountry({ country: ['US'] })).toEqual([]);
    expect(await byCountry({ country: ['US'] }, 'project_downloads', [])).toEqual([]);
    expect(await byCountry({}, 'project_playtime')).toMatchObject([{ country: 'XX', seconds: 300 }]);
  });

  it('reads minutes of a short time', async () => {
    const time_range = {
      ...{ start: '2026-03-10T10:00:00Z', end: '2026-03-10T10:30:00Z' },
      resolution: { minutes: 1 },
    };
    const { metrics } = await answerOf({ project_downloads: {} }, { time_range });
    expect(metrics).toHaveLength(30);
    expect(metrics[15]).toMatchObject([{ downloads: 114 }]);
  });

  const times = (start: string, end: string, resolution: object) => ({ start, end, resolution });
  it.each([
    ['an end before the start', times(day.end, day.start, { slices: 1 }), 'analytics_time_range'],
    ['no time', times(day.start, day.start, { slices: 1 }), 'analytics_time_range'],
    ['a time before 1970', times('0000-01-01T00:00:00Z', day.end, { slices: 1 }), 'analytics_time_range'],
    [
      'a start in a far future',
      times('2970-01-01T00:00:00Z', '2971-01-01T00:00:00Z', { slices: 1 }),
      'analytics_time_range',
    ],
    [
      'a thousand years of minutes',
      times('1970-01-01T00:00:00Z', '2970-01-01T00:00:00Z', { minutes: 1 }),
      'analytics_slices',
    ],
    [
      'too many slices',
      times('2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z', { slices: 1025 }),
      'analytics_slices',
    ],
    ['minutes of a day', times(day.start, day.end, { minutes: 59 }), 'analytics_slices'],
    [
      'slices of seconds',
      times('2026-03-10T10:00:00Z', '2026-03-10T10:30:00Z', { slices: 60 }),
      'analytics_slices',
    ],
    ['no resolution', times(day.start, day.end, {}), 'invalid_input'],
    ['two resolutions', times(day.start, day.end, { slices: 1, minutes: 60 }), 'invalid_input'],
    ['no number of slices', times(day.start, day.end, { slices: 0 }), 'invalid_input'],
  ])('refuses %s', async (_, time_range, code) => {
    const answer = await ask({ project_downloads: {} }, { time_range });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      code === 'invalid_input' ? {} : { details: { code } },
    ]);
  });

  it.each([
    ['an unknown metric', { affiliate_code_clicks: {} }],
    ['an unknown field', { project_views: { bucket_by: ['loader'] } }],
    ['an unknown filter', { project_views: { filter_by: { loader: ['fabric'] } } }],
    ['a value that cannot be stored', { project_downloads: { filter_by: { loader: ['\0'] } } }],
    ['too many values', { project_downloads: { filter_by: { loader: Array(501).fill('x') } } }],
  ])('refuses %s', async (_, return_metrics) => {
    expect((await ask(return_metrics)).status).toBe(400);
  });

  it('accepts a thousand years of a slice each', async () => {
    const time_range = times('1970-01-01T00:00:00Z', '2970-01-01T00:00:00Z', { slices: 1000 });
    const { metrics } = await answerOf({ project_downloads: {} }, { time_range });
    expect(metrics).toHaveLength(1000);
    expect(metrics.flat().map(({ downloads }: { downloads: number }) => downloads)).toEqual([121]);
  });

  it('asks the database a fixed number of times for any number of projects', async () => {
    const whole = api.services.sql;
    const countOf = async (project_ids: string[]) => {
      const { sql, count } = countingQueries(whole);
      api.services.sql = sql;
      await answerOf({ project_views: {}, project_downloads: {}, project_playtime: {} }, { project_ids });
      api.services.sql = whole;
      return count();
    };
    const few = await countOf([one.id]);
    const more = await Promise.all(Array.from({ length: 30 }, () => build.project(database.sql, { owner })));
    expect(await countOf([one.id, ...more.map(({ id }) => id)])).toBe(few);
    await database.sql`delete from projects where id = any(${more.map(({ id }) => id)})`;
    // caller, rights, three metrics, what happened, projects (which, then their rows)
    expect(few).toBeLessThanOrEqual(10);
  });
});

describe('whose analytics', () => {
  const whole = { project_downloads: { bucket_by: ['project_id'] } };
  const seenBy = async (caller: string, project_ids: string[]): Promise<string[]> =>
    Object.keys((await answerOf(whole, { token: caller, project_ids })).projects);

  it('are shown to members with the right, of projects and their organizations, and to admins', async () => {
    const { sql } = database;
    const organization = await build.organization(sql);
    const ours = await build.project(sql, { organization });
    const project = await build.project(sql);
    const person = async (team: string | null, given: build.GivenMember = {}, role = {}) => {
      const user = await build.user(sql, role);
      if (team) await build.member(sql, team, user, given);
      return await build.token(sql, user);
    };
    const all = [project.id, ours.id];
    const own = [project.id];
    const rows: Array<[string, string, string[], string[]]> = [
      ['owner', await build.token(sql, project.owner), own, own],
      ['member with the right', await person(project.team, { permissions: 256 }), own, own],
      ['member without', await person(project.team, { permissions: 1023 - 256 }), [], []],
      ['invited', await person(project.team, { permissions: 1023, accepted: false }), [], []],
      [
        'organization member with the right',
        await person(organization.team_id, { permissions: 256 }),
        [ours.id],
        [ours.id],
      ],
      ['organization member without', await person(organization.team_id, { permissions: 1 }), [], []],
      ['organization owner', await build.token(sql, organization.owner), [ours.id], [ours.id]],
      ['stranger', await person(null), [], []],
      ['moderator', await person(null, {}, { role: 'moderator' }), [], []],
      ['admin', await person(null, {}, { role: 'admin' }), all, []],
    ];
    const found = [];
    for (const [name, caller] of rows)
      found.push([name, caller, (await seenBy(caller, all)).sort(), (await seenBy(caller, [])).sort()]);
    expect(found).toEqual(rows.map(([name, caller, asked, mine]) => [name, caller, [...asked].sort(), mine]));
  });

  it('need the scope ANALYTICS, and revenue PAYOUTS_READ', async () => {
    const without = async (scope: string) =>
      await build.token(
        database.sql,
        owner,
        unrestrictedScopes.filter((other) => other !== scope),
      );
    const blind = await without('ANALYTICS');
    const routes = ['playtime', 'views', 'downloads', 'revenue', 'countries/downloads', 'countries/views'];
    for (const path of routes)
      expect((await api.call('GET', `/v3/analytics/${path}`, { token: blind })).status, path).toBe(401);
    expect((await ask(whole, { token: blind })).status).toBe(401);
    expect((await api.call('POST', '/v3/analytics/facets', { token: blind, json: {} })).status).toBe(401);
    expect((await api.call('POST', '/v3/analytics', { json: {} })).status).toBe(401);

    const poor = await without('PAYOUTS_READ');
    const revenue = { project_revenue: { bucket_by: ['user_id'] } };
    const refused = await ask(revenue, { token: poor });
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { details: { code: 'scope_missing' } },
    ]);
    expect((await answerOf(revenue)).metrics.flat()).toEqual([]);
    expect((await api.call('GET', '/v3/analytics/revenue', { token: poor })).status).toBe(401);
    const paid = await api.call('GET', '/v3/analytics/revenue', { token });
    expect(await paid.json()).toEqual({ [one.id]: {}, [two.id]: {} });
  });
});

describe('GET /v3/analytics', () => {
  const get = async (path: string, query: Record<string, string> = {}) => {
    const answer = await api.call('GET', `/v3/analytics/${path}?${new URLSearchParams(query)}`, { token });
    return [answer.status, await answer.json()];
  };
  const today = String(Date.parse(day.start) / 1000);

  it('gives sums of two weeks by day in UTC', async () => {
    expect(await get('downloads')).toEqual([200, { [one.id]: { [today]: 114 }, [two.id]: { [today]: 7 } }]);
    expect(await get('playtime', { project_ids: JSON.stringify([one.id, pack.id]) })).toEqual([
      200,
      { [one.id]: { [today]: 300 } },
    ]);
    const hours = { start_date: '2026-03-10T10:10:00Z', resolution_minutes: '60' };
    expect(await get('views', hours)).toEqual([
      200,
      { [one.id]: { [Date.parse('2026-03-10T10:00:00Z') / 1000]: 5 }, [two.id]: {} },
    ]);
  });

  it('gives sums by country', async () => {
    expect(await get('countries/downloads')).toEqual([
      200,
      { [one.id]: { DE: 60, XX: 54 }, [two.id]: { XX: 7 } },
    ]);
    expect(await get('countries/views')).toEqual([200, { [one.id]: { XX: 5 }, [two.id]: {} }]);
  });

  it.each<Record<string, string>>([
    { project_ids: 'nonsense' },
    { project_ids: '["not an id"]' },
    { start_date: 'yesterday' },
    { start_date: '1969-01-01T00:00:00Z' },
    { end_date: '2020-01-01T00:00:00Z', start_date: '2020-01-02T00:00:00Z' },
    { resolution_minutes: '0' },
    { resolution_minutes: '5' },
    { resolution_minutes: 'x' },
  ])('refuses %o', async (query) => {
    expect((await get('views', query))[0]).toBe(400);
  });
});

describe('POST /v3/analytics/facets', () => {
  it('lists values by which counts can be chosen, without countries of few counts', async () => {
    const answer = await api.call('POST', '/v3/analytics/facets', { token, json: {} });
    expect(await answer.json()).toEqual({
      facets: {
        project_views: {
          domain: ['cairn.example'],
          site_path: ['/project', null],
          monetized: [false, true],
          country: ['XX'],
        },
        project_downloads: {
          domain: [null],
          user_agent: ['modrinth_app', 'prism', 'other'],
          version_id: [version.id, null],
          monetized: [false],
          country: ['DE', 'XX'],
          reason: [null],
          game_version: [null],
          loader: [null, 'fabric'],
        },
        project_playtime: { version_id: [version.id], loader: [null], game_version: [null], country: [] },
      },
    });
  });
});

it('playtime that a launcher reports within a session is shown to the creator', async () => {
  const { sql } = database;
  const played = await build.version(sql, two, { version_number: '3.0' });
  const player = await build.user(sql);
  const session = (await openSession(sql, { user_id: player.id, user_agent: null, now: new Date() }))
    .session!;
  const json = { [played.id]: { seconds: 240, loader: 'fabric', game_version: '1.20.1' } };
  for (let i = 0; i < 2; i++)
    expect((await api.call('POST', '/analytics/playtime', { token: session, json })).status).toBe(204);
  await api.services.usage.flush();
  await rollUp(sql, now, { records_d: 35 });
  const { metrics } = await answerOf(
    { project_playtime: { bucket_by: ['project_id', 'version_id', 'loader'] } },
    { project_ids: [two.id] },
  );
  expect(metrics.flat()).toEqual([
    {
      ...{ source_project: two.id, metric_kind: 'project_playtime' },
      ...{ version_id: played.id, loader: 'fabric', seconds: 480 },
    },
  ]);
});
