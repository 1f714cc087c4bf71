import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import { request } from './request.ts';
import { type Caller, callers, people, type World, world } from './world.ts';

type Rows = Record<string, string>;

/**
 * Who may call what: the status that each caller gets for the right request, for every served route of the public API.
 * access.json is written out by `RECORD_ACCESS=1` for routes without a row and then read by a person; a row stays as it is.
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
  /^DELETE|follow$|gallery$|members$|join$|owner$|POST \/v3\/(friend|block)|organization\/:id\/projects|PATCH .*user\/:id$/;
/** Writes that change people, or that a person may do only so many times. */
const aboutPeople = /^(PATCH|DELETE) \/v[23]\/user\/:id|^POST \/v[23]\/(project|collection|organization)$/;

/** The callers share a world until one of them does what can be done only once. */
async function rowOf(route: string): Promise<string> {
  const statuses: Partial<Record<Caller, number>> = {};
  for (const caller of callers) {
    const answer = await request(api, shared, route, { token: shared.tokens[caller] });
    await answer.arrayBuffer();
    statuses[caller] = answer.status;
    if (answer.status < 400 && !route.startsWith('GET') && once.test(route)) {
      if (aboutPeople.test(route)) who = await people(database.sql);
      shared = await world(database.sql, who);
    }
  }
  return callers.map((caller) => statuses[caller]).join(' ');
}

async function rowsOf(list: readonly string[]): Promise<Rows> {
  const found: Rows = {};
  for (const route of list) {
    if (aboutPeople.test(route)) {
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
    (route) => route.startsWith('GET') && route.includes(':') && !route.includes('/tag/'),
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
