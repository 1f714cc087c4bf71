import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import { request } from './request.ts';
import { filledPath, sampleOf } from './samples.ts';
import { type Caller, people, type World, world } from './world.ts';

/**
 * What is hidden from a caller looks as if it did not exist: every served route gives the same answer for both.
 * Source: api-behaviours §4.
 */
const database = testDatabase();
const api = testApi(database);
const outsiders = ['visitor', 'no scope', 'stranger'] as const satisfies Caller[];

/** Where the reference tells a hidden thing from a missing one. Projects are no secret: the check answers for all. */
const documented: Array<[route: RegExp, reason: string]> = [
  [/^GET \/v[23]\/project\/:id\/check$/, 'answers for hidden projects too (api-behaviours §4)'],
  [/^POST \/v[23]\/project\/:id\/follow$/, 'missing 400, hidden 404 (api-v2 §4)'],
  [/^(PATCH|POST|DELETE) \/v[23]\/project\/:id/, 'writes by others than members are 401 (api-behaviours §4)'],
  [/^PATCH \/v[23]\/projects$/, 'missing 400, no member 401 (api-v2 §4.3)'],
  [/^POST \/v[23]\/version$/, 'the same for the project of a new version (api-behaviours §4)'],
  [/^(PATCH|DELETE) \/v[23]\/notification\/:id$/, "another user's are 401 (api-v2 §8)"],
];

/** Values of the world that name what is hidden, with values that name nothing. */
const nothing: Record<string, string> = {
  ...Object.fromEntries(
    'project slug version second_version team organization collection report notification thread message'
      .split(' ')
      .map((name) => [name, 'Nothing1']),
  ),
  hash: '0'.repeat(40),
  second_hash: '1'.repeat(40),
};

let hidden: World;
let missing: World;
let routes: string[];

beforeAll(async () => {
  const { sql } = database;
  const who = await people(sql);
  const draft = await world(sql, who, 'draft');
  const organization = await build.organization(sql, { owner: who.owner });
  await sql`update collections set status = 'private' where id = ${draft.values.collection!}`;
  hidden = { ...draft, values: { ...draft.values, organization: organization.id } };
  missing = { ...hidden, values: { ...hidden.values, ...nothing } };
  routes = servedRoutes(api.services).filter((route) => !/ \/_internal\//.test(route) && namesHidden(route));
});

/** Whether the right request of a route names one of the things that may be hidden. */
function namesHidden(route: string): boolean {
  const sample = sampleOf(route);
  const text = `${filledPath(route.split(' ')[1]!, sample.path)} ${JSON.stringify(sample)}`;
  return Object.keys(nothing).some((name) => text.includes(`{${name}}`));
}

/** Status and body of an answer, without the ids that the request named. */
async function answerOf(made: World, route: string, caller: Caller): Promise<string> {
  const answer = await request(api, made, route, { token: made.tokens[caller] });
  const ids = Object.keys(nothing).map((name) => made.values[name]!);
  const text = (await answer.text()).replace(new RegExp([...new Set(ids)].join('|'), 'gi'), '*');
  return `${answer.status} ${text}`;
}

const differs = async (route: string): Promise<string[]> => {
  const found: string[] = [];
  for (const caller of outsiders) {
    const [one, other] = [await answerOf(hidden, route, caller), await answerOf(missing, route, caller)];
    if (one !== other) found.push(`${route}, ${caller}: hidden ${one}, missing ${other}`);
  }
  return found;
};

describe('what is hidden', () => {
  test('looks as if it did not exist', { timeout: 120_000 }, async () => {
    const found: string[] = [];
    for (const route of routes) {
      if (!documented.some(([one]) => one.test(route))) found.push(...(await differs(route)));
    }
    expect(found).toEqual([]);
  });

  test('is told apart only where the reference says so', { timeout: 60_000 }, async () => {
    const same: string[] = [];
    for (const [one, reason] of documented) {
      const list = routes.filter((route) => one.test(route));
      const found = (await Promise.all(list.map(differs))).flat();
      if (found.length === 0) same.push(reason);
    }
    expect(same).toEqual([]);
  });

  test('includes the team of an organization', async () => {
    const { sql } = database;
    const [row] = await sql`select team_id from organizations where id = ${hidden.values.organization!}`;
    const project = hidden;
    hidden = { ...hidden, values: { ...hidden.values, team: row!.team_id } };
    const teams = routes.filter((route) => route.includes('/team'));
    expect(teams.length).toBeGreaterThan(8);
    expect((await Promise.all(teams.map(differs))).flat()).toEqual([]);
    hidden = project;
  });
});
