import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import { fill, request } from './request.ts';
import { sampleOf } from './samples.ts';
import { people, type World, world } from './world.ts';

/**
 * What stands twice in a request: of a query key the first value counts, of a JSON key the last, and a part of a form
 * that comes twice is refused (`wrongForms`). Never an internal error, on any route.
 */
const database = testDatabase();
const api = testApi(database);
let made: World;
let routes: string[];
beforeAll(async () => {
  made = await world(database.sql, await people(database.sql));
  routes = servedRoutes(api.services).filter((route) => /\/v[23]\//.test(route));
});

interface Described {
  parameters?: Array<{ name: string; in: string }>;
}

/** The names of the query of each served GET route, from our documents and the samples. */
async function queries(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const version of ['/v2', '/v3']) {
    const document = (await (await api.call('GET', `${version}/openapi.json`)).json()) as {
      paths: Record<string, { get?: Described }>;
    };
    const at = (path: string) => path.replace(version, '').replace(/\{(\w+)\}/g, ':$1');
    const described = new Map(Object.entries(document.paths).map(([path, { get }]) => [at(path), get]));
    for (const route of routes.filter((one) => one.startsWith(`GET ${version}/`))) {
      const parameters = described.get(route.slice(`GET ${version}`.length))?.parameters ?? [];
      const names = parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
      found.set(route, [...new Set([...names, ...Object.keys(sampleOf(route).query ?? {})])]);
    }
  }
  return found;
}

/** Answers that differ from call to call. */
const random = /projects_random/;
/** What apps ask for refuses a key that repeats. Source: RFC 6749 §3.1. */
const refusing = /oauth\/authorize$/;

test('of a query key that repeats, the first value counts, on every GET', { timeout: 120_000 }, async () => {
  const others: string[] = [];
  let asked = 0;
  for (const [route, names] of await queries()) {
    if (refusing.test(route)) continue;
    const given = Object.entries(sampleOf(route).query ?? {});
    for (const name of names) {
      const rest = new URLSearchParams(given.filter(([key]) => key !== name)).toString();
      const right = fill(given.find(([key]) => key === name)?.[1] ?? '1', made.values);
      const of = async (...values: string[]) => {
        const repeated = values.map((value) => `${name}=${encodeURIComponent(value)}`);
        const query = `?${[...repeated, rest].filter((text) => text !== '').join('&')}`;
        const answer = await request(api, made, route, { token: made.tokens.admin, query });
        const text = await answer.text();
        return JSON.stringify([answer.status, random.test(route) ? '' : text]);
      };
      for (const [first, second] of [
        [right, 'wrong'],
        ['wrong', right],
      ] as const) {
        asked++;
        const [alone, twice] = [await of(first), await of(first, second)];
        if (alone !== twice || /^\[5/.test(twice))
          others.push(`${route} ${name}=${first}: ${twice.slice(0, 200)}`);
      }
    }
  }
  expect(others).toEqual([]);
  expect(asked).toBeGreaterThan(60);
});

/** The text of an object in which `name` stands twice, first with another value. */
const repeated = (fields: Record<string, unknown>, name: string, before: unknown): string =>
  JSON.stringify(fields).replace('{', `{${JSON.stringify(name)}:${JSON.stringify(before)},`);

test('of a JSON key that repeats, the last value counts, on every route', { timeout: 120_000 }, async () => {
  const others: string[] = [];
  for (const route of routes) {
    const { json } = sampleOf(route);
    if (typeof json !== 'object' || json === null) continue;
    for (const name of Object.keys(json)) {
      const send = async (text: string) => {
        const headers = { 'content-type': 'application/json' };
        const changed = { token: made.tokens.member, body: fill(text, made.values), headers };
        return (await request(api, made, route, changed)).status;
      };
      const twice = await send(repeated(json as Record<string, unknown>, name, { wrong: [1] }));
      if (twice >= 500) others.push(`${route} ${name}: ${twice}`);
      // what only reads answers the same again
      if (/search|version_file|content\/resolve/.test(route) && twice !== (await send(JSON.stringify(json))))
        others.push(`${route} ${name}: ${twice}, another status than without it`);
    }
  }
  expect(others).toEqual([]);

  const bio = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    await request(api, made, 'PATCH /v3/user/:id', { token: made.tokens.member, body, headers });
    const [row] = await database.sql`select bio from users where id = ${made.values.user!}`;
    return row!.bio;
  };
  expect(await bio('{"bio":"first","bio":"last"}')).toBe('last');
  expect(await bio('{"bio":"kept","bio":7}')).toBe('last');
});
