import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import { request } from './request.ts';
import { type Caller, callers, people, type World, world } from './world.ts';

type Rows = Record<string, string>;

/**
 * Who may call what: the status that each caller gets for the right request, for every served route of the public API;
 * where things are looked up by their ids, `200/1` also says how many were found. access.json is written out by
 * `RECORD_ACCESS=1` for routes without a row; access.md says against what its rows were checked. A row stays as it is.
 * Source: api-behaviours §1, §4; api-v2 §1.6.
 */
const file = new URL('./access.json', import.meta.url);
const table = JSON.parse(readFileSync(file, 'utf8')) as Record<'public' | 'hidden', Rows>;
const added: Record<'public' | 'hidden', Rows> = { public: {}, hidden: {} };
const recording = process.env.RECORD_ACCESS !== undefined;

const database = testDatabase();
const api = testApi(database);
let who: Awaited<ReturnType<typeof people>>;
let shared: World;
let routes: string[];
let reads: string[];

/** What can be done only once to a thing. */
const once =
  /^DELETE|follow$|gallery$|members$|join$|owner$|schedule$|POST \/v3\/(friend|block)|organization\/:id\/projects|oauth\/(accept|reject|token)$|PATCH .*user\/:id$/;
/** Writes that change people, or that a person may do only so many times. */
const aboutPeople =
  /^(PATCH|DELETE) \/v[23]\/user\/:id|^POST \/v[23]\/(project|collection|organization|report)$/;

/** What changes how somebody signs in ends their tokens. */
const endsTokens = /^(POST|PATCH|DELETE) \/v2\/auth\//;

/** Reads that leave out what the caller may not see, so that their status alone says nothing. */
const lookUp =
  /^GET \/v[23]\/(projects|versions|users|teams|collections|organizations|notifications|reports|threads)$|members$/;

async function answerOf(route: string, answer: Response): Promise<string> {
  const body = await answer.text();
  if (answer.status !== 200 || !lookUp.test(route)) return `${answer.status}`;
  return `200/${(JSON.parse(body) as unknown[]).length}`;
}

/** The callers share a world until one of them does what can be done only once. */
async function rowOf(route: string): Promise<string> {
  const answers: Partial<Record<Caller, string>> = {};
  for (const caller of callers) {
    const answer = await request(api, shared, route, { token: shared.tokens[caller] });
    answers[caller] = await answerOf(route, answer);
    if (answer.status < 400 && !route.startsWith('GET') && once.test(route)) {
      if (aboutPeople.test(route)) who = await people(database.sql);
      shared = await world(database.sql, who);
    }
  }
  return callers.map((caller) => answers[caller]).join(' ');
}

async function rowsOf(list: readonly string[]): Promise<Rows> {
  const found: Rows = {};
  for (const [at, route] of list.entries()) {
    if (aboutPeople.test(route) || endsTokens.test(list[at - 1] ?? '')) {
      who = await people(database.sql);
      shared = await world(database.sql, who);
    }
    found[route] = await rowOf(route);
  }
  return found;
}

beforeAll(async () => {
  who = await people(database.sql);
  routes = servedRoutes(api.services).filter((route) => !/ \/_internal\/|session\/refresh/.test(route));
  reads = routes.filter(
    (route) =>
      route.startsWith('GET') && (route.includes(':') || lookUp.test(route)) && !/tag|license/.test(route),
  );
});

afterAll(() => {
  if (!recording) return;
  const sections = (['public', 'hidden'] as const).map((name) => [name, { ...added[name], ...table[name] }]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sections), null, 2)}\n`);
});

describe('who may call what', () => {
  test('is written down for every served route, and for no other', () => {
    if (recording) return;
    expect(Object.keys(table.public).sort()).toEqual([...routes].sort());
    expect(Object.keys(table.hidden).sort()).toEqual([...reads].sort());
  });

  test('is as the table says', { timeout: 300_000 }, async () => {
    shared = await world(database.sql, who);
    added.public = await rowsOf(routes);
    if (!recording) expect(added.public).toEqual(table.public);
  });

  test('is as the table says about a draft, which only its members and staff see', {
    timeout: 120_000,
  }, async () => {
    shared = await world(database.sql, who, 'draft');
    added.hidden = await rowsOf(reads);
    if (!recording) expect(added.hidden).toEqual(table.hidden);
  });
});
