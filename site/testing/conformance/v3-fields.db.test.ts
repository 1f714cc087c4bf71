import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import { request } from './request.ts';
import * as v3 from './v3-shapes.ts';
import { type Caller, people, type World, world } from './world.ts';

/** Every GET of v3, and what answers a POST, has the fields of the reference and no others. Source: api-v3 §2, §3. */
const database = testDatabase();
const api = testApi(database);
const some = <S extends z.ZodType>(shape: S) => z.array(shape).min(1);
const byHash = <S extends z.ZodType>(shape: S) =>
  z.record(z.string(), shape).refine((found) => Object.keys(found).length === 1, 'one hash was asked for');

const reads: Record<string, z.ZodType> = {
  'GET /v3/search': v3.found,
  'GET /v3/project/:id': v3.project,
  'GET /v3/projects': some(v3.project),
  'GET /v3/projects_random': some(v3.project),
  'GET /v3/project/:id/check': v3.check,
  'GET /v3/project/:id/dependencies': v3.dependencies,
  'GET /v3/project/:id/disclosures': some(v3.disclosure),
  'GET /v3/project/:id/members': some(v3.member),
  'GET /v3/project/:id/organization': v3.organization,
  'GET /v3/project/:id/version': some(v3.version),
  'GET /v3/project/:id/version/:number': v3.version,
  'GET /v3/version/:id': v3.version,
  'GET /v3/versions': some(v3.version),
  'GET /v3/version_file/:hash': v3.version,
  'GET /v3/user': v3.user,
  'GET /v3/user/:id': v3.user,
  'GET /v3/users': some(v3.user),
  'GET /v3/users/search': some(v3.foundUser),
  'GET /v3/user/:id/projects': some(v3.project),
  'GET /v3/user/:id/all-projects': v3.allProjects,
  'GET /v3/user/:id/collections': some(v3.collection),
  'GET /v3/user/:id/organizations': some(v3.organization),
  'GET /v3/user/:id/follows': some(v3.project),
  'GET /v3/user/:id/notifications': some(v3.notification),
  'GET /v3/user/:id/preferences': v3.preferences,
  'GET /v3/team/:id/members': some(v3.member),
  'GET /v3/teams': some(some(v3.member)),
  'GET /v3/organization/:id': v3.organization,
  'GET /v3/organizations': some(v3.organization),
  'GET /v3/organization/:id/members': some(v3.member),
  'GET /v3/organization/:id/projects': some(v3.project),
  'GET /v3/collection/:id': v3.collection,
  'GET /v3/collections': some(v3.collection),
  'GET /v3/notification/:id': v3.notification,
  'GET /v3/notifications': some(v3.notification),
  'GET /v3/report': some(v3.report),
  'GET /v3/report/:id': v3.report,
  'GET /v3/reports': some(v3.report),
  'GET /v3/thread/:id': v3.thread,
  'GET /v3/threads': some(v3.thread),
  'GET /v3/friends': some(v3.friend),
  'GET /v3/blocks': v3.ids.min(1),
  'GET /v3/limits/projects': v3.limit,
  'GET /v3/limits/organizations': v3.limit,
  'GET /v3/limits/collections': v3.limit,
  'GET /v3/games': some(v3.game),
  'GET /v3/tag/category': some(v3.category),
  'GET /v3/tag/loader': some(v3.loader),
  'GET /v3/tag/report_type': v3.names.min(1),
  'GET /v3/tag/project_type': v3.names.min(1),
  'GET /v3/loader_field': some(v3.fieldValue),
  'GET /v3/license': some(v3.license),
  'GET /v3/license/:id': v3.licenseText,
  'GET /v3/link_platform': some(v3.linkPlatform),
  'GET /v3/statistics': v3.statistics,
  'GET /v3/oauth/app/:id': v3.oauthClient,
  'GET /v3/oauth/apps': some(v3.oauthClient),
  'GET /v3/user/:id/oauth_apps': some(v3.oauthClient),
  'GET /v3/oauth/authorizations': z.array(v3.oauthAuthorization),
  'GET /v3/analytics/views': v3.analyticsSums,
  'GET /v3/analytics/downloads': v3.analyticsSums,
  'GET /v3/analytics/playtime': v3.analyticsSums,
  'GET /v3/analytics/revenue': v3.noSums,
  'GET /v3/payout/balance': v3.payoutBalance,
  'GET /v3/payout/history': z.array(z.union([v3.withdrawal, v3.payoutAvailable])),
  'GET /v3/payout/methods': some(v3.payoutMethod),
  'GET /v3/payout/platform_revenue': v3.platformRevenue,
  'GET /v3/analytics/countries/views': v3.analyticsSums,
  'GET /v3/analytics/countries/downloads': v3.analyticsSums,
  'GET /v3/analytics-event': some(v3.analyticsEvent),
};

const others: Record<string, z.ZodType> = {
  'POST /v3/search': v3.found,
  'POST /v3/analytics': v3.analytics,
  'POST /v3/payout/fees': v3.payoutFees,
  'POST /v3/analytics/facets': v3.facets,
  'POST /v3/image': v3.image,
  'POST /v3/report': v3.report,
  'POST /v3/collection': v3.collection,
  'POST /v3/organization': v3.organization,
  'POST /v3/oauth/app': v3.createdOAuthClient,
  'POST /v3/project': v3.project,
  'POST /v3/version': v3.createdVersion,
  'POST /v3/content/resolve': v3.plan,
  'POST /v3/version_file/:hash/update': v3.version,
  'POST /v3/version_files': byHash(v3.version),
  'POST /v3/version_file/project': byHash(v3.project),
  'POST /v3/version_files/update': byHash(v3.version),
  'POST /v3/version_files/update_many': byHash(some(v3.version)),
  'POST /v3/version_files/update_individual': byHash(v3.version),
};

/** Without fields: redirects, where to go after an app was authorized, and the document of the API itself. */
const none = ['GET /v3/version_file/:hash/download', 'GET /v3/oauth/authorize', 'GET /v3/openapi.json'];
/** For administrators only. */
const staff: Record<string, z.ZodType> = { 'GET /v3/user_email': v3.user };

let made: World;
beforeAll(async () => {
  const { sql } = database;
  made = await world(sql, await people(sql));
  const { project, friend, stranger, user } = made.values;
  for (const route of ['POST /v3/friend/:id', 'PATCH /v3/project/:id/disclosures'])
    await read(route, 'member', 204);
  await sql`insert into blocks ${sql({ user_id: user!, blocked_id: stranger! })}`;
  expect(friend).toBeDefined();
  await sql`insert into analytics_events ${sql({ id: 'AABBCCDD', title: 'One', for_metric_kind: ['views'], starts: '2026-01-01T00:00:00Z' })}`;
  await recordEvent(sql, { name: 'project.edited', project_id: project! });
  await indexConsumer(sql, postgresEngine(sql)).step();
});

async function read(route: string, caller: Caller, status = 200): Promise<unknown> {
  const answer = await request(api, made, route, { token: made.tokens[caller] });
  expect([route, answer.status]).toEqual([route, status]);
  return status === 204 ? undefined : await answer.json();
}

/** What is wrong with a value, as `0.user.name: …`. */
const problems = (shape: z.ZodType, value: unknown): string[] =>
  (shape.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('v3', () => {
  test('has a shape here for every GET that it serves', () => {
    const served = servedRoutes(api.services).filter((route) => route.startsWith('GET /v3/'));
    expect([...Object.keys(reads), ...Object.keys(staff), ...none].sort()).toEqual(served.sort());
  });

  test.each(Object.entries({ ...reads, ...others }))(
    '%s answers the fields of the reference',
    async (route, shape) => {
      expect(problems(shape, await read(route, 'member'))).toEqual([]);
    },
  );

  test.each(
    Object.entries(reads).filter(([route]) => !/user|\/(notification|friend|block|disclosure)/.test(route)),
  )('%s answers them to a moderator too', async (route, shape) => {
    expect(problems(shape, await read(route, route.endsWith('/report') ? 'member' : 'moderator'))).toEqual(
      [],
    );
  });

  test('shows notes to moderators only, and everything about a user to administrators', async () => {
    const about = async (caller: Caller) =>
      (await read('GET /v3/user/:id', caller)) as Record<string, unknown>;
    expect(await about('stranger')).not.toHaveProperty('moderation_notes');
    const seen = await about('moderator');
    expect(problems(v3.user, seen)).toEqual([]);
    expect(seen).toMatchObject({ moderation_notes: null, email: null });
    expect(problems(v3.user, await read('GET /v3/user_email', 'admin'))).toEqual([]);
  });
});

test.each(['GET /v2/project/:id/members', 'GET /v2/team/:id/members'])(
  '%s answers members with the user of v3',
  async (route) => {
    expect(problems(some(v3.memberV2), await read(route, 'member'))).toEqual([]);
    expect(problems(some(some(v3.memberV2)), await read('GET /v2/teams', 'visitor'))).toEqual([]);
  },
);
