import { beforeAll, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

/** No list of versions costs more statements for more items. */
const database = testDatabase();
const api = testApi(database);

let token: string;
let slug: string;
let ids: string[];
let hashes: string[];
beforeAll(async () => {
  token = await build.token(database.sql, await build.user(database.sql));
  const projects = await Promise.all(
    Array.from({ length: 10 }, async () => await build.project(database.sql)),
  );
  const hidden = await build.project(database.sql, { status: 'draft' });
  slug = projects[0]!.slug;
  const made: build.BuiltVersion[] = [];
  for (let i = 0; i < 100; i++) {
    const of = i === 50 ? hidden : projects[i % 10]!;
    const dependencies = [{ project_id: projects[0]!.id }];
    const date_published = new Date(Date.UTC(2024, 0, 1, 0, i));
    made.push(await build.version(database.sql, of, { dependencies, date_published }));
  }
  ids = made.map(({ id }) => id);
  hashes = made.map(({ files }) => files[0]!.sha1);
});

const json = JSON.stringify;
const filters = { loaders: ['fabric'], game_versions: ['1.20.1'] };
const operations: Record<string, (count: number) => [method: string, path: string, body?: unknown]> = {
  'GET versions': (count) => ['GET', `versions?ids=${json(ids.slice(0, count))}`],
  'GET project/{id}/version': (count) => ['GET', `project/${slug}/version?limit=${count}`],
  'GET project/{id}/version, featured': (count) => [
    'GET',
    `project/${slug}/version?featured=true&limit=${count}`,
  ],
  'POST version_files': (count) => ['POST', 'version_files', { hashes: hashes.slice(0, count) }],
  'POST version_file/project': (count) => [
    'POST',
    'version_file/project',
    { hashes: hashes.slice(0, count) },
  ],
  'POST version_files/update': (count) => [
    'POST',
    'version_files/update',
    { hashes: hashes.slice(0, count), ...filters },
  ],
  'POST version_files/update_many': (count) => [
    'POST',
    'version_files/update_many',
    { hashes: hashes.slice(0, count), ...filters },
  ],
  'POST version_files/update_individual': (count) => [
    'POST',
    'version_files/update_individual',
    { hashes: hashes.slice(0, count).map((hash, i) => ({ hash, ...(i % 2 ? filters : {}) })) },
  ],
};

async function queriesOf([method, path, body]: [string, string, unknown?], version: 2 | 3, as?: string) {
  const counting = countingQueries(database.sql);
  const services = api.services as { sql: typeof counting.sql };
  services.sql = counting.sql;
  try {
    const answer = await api.call(method, `/v${version}/${path}`, {
      ...(body === undefined ? {} : { json: body }),
      ...(as ? { token: as } : {}),
    });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.any(String)]);
    const items: unknown = JSON.parse(text);
    return { queries: counting.count(), items: Object.keys(items as object).length };
  } finally {
    services.sql = database.sql;
  }
}

test.each(
  Object.keys(operations).flatMap((name) => [2, 3].map((version) => [name, version as 2 | 3] as const)),
)('%s of v%i: as many statements for 20 as for 1', async (name, version) => {
  const operation = operations[name]!;
  await queriesOf(operation(1), version); // reads that are cached for a minute
  const one = await queriesOf(operation(1), version);
  const twenty = await queriesOf(operation(20), version);
  expect(one.queries).toBeGreaterThan(0);
  expect(twenty.queries).toBe(one.queries);
  expect(twenty.items).toBeGreaterThan(one.items);
});

test.each([2, 3] as const)('100 ids in one call of v%i take at most 3 statements', async (version) => {
  const visitor = await queriesOf(operations['GET versions']!(100), version);
  expect(visitor.items).toBe(99);
  expect(visitor.queries).toBeLessThanOrEqual(3);
  const signedIn = await queriesOf(operations['GET versions']!(100), version, token);
  const alone = await queriesOf(operations['GET versions']!(1), version, token);
  expect(signedIn.queries - alone.queries).toBeLessThanOrEqual(1); // who may see the hidden one
});
