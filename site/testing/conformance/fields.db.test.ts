import { beforeAll, describe, expect, test } from 'vitest';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { v2Document } from '../reference/routes.ts';
import { differences } from './differences.ts';
import { request } from './request.ts';
import { mismatches } from './schema-check.ts';
import { people, type World, world } from './world.ts';

/**
 * Every GET of the public v2 document, called on a world that has one of everything, is as the document says, field by
 * field. Source: clients §10.
 */
const database = testDatabase();
const api = testApi(database);
let made: World;
const seen = new Set<string>();

/** The served route of a path of the document: its parameters are named after the first of their names. */
const routeOf = (path: string): string =>
  `GET ${path.startsWith('/updates/') ? path : `/v2${path}`}`.replace(/\{(\w+)[^}]*\}/g, ':$1');

const reads = Object.entries(v2Document.paths)
  .filter(([path, item]) => item.get && !path.endsWith('/payouts'))
  .map(([path, item]) => [path, item.get!.responses['200']!.content!['application/json']!.schema] as const);

beforeAll(async () => {
  made = await world(database.sql, await people(database.sql));
  await indexConsumer(database.sql, postgresEngine(database.sql)).step();
});

describe('every GET of the public document', () => {
  test.each(reads)('%s answers the documented fields', async (path, schema) => {
    const answer = await request(api, made, routeOf(path), { token: made.tokens.member });
    expect(answer.status).toBe(200);
    const value = (await answer.json()) as unknown;
    const list = path === '/search' ? (value as { hits: unknown[] }).hits : value;
    if (Array.isArray(list)) expect(list).not.toHaveLength(0);
    const found = [...new Set(mismatches(v2Document, schema, value))];
    for (const one of found) seen.add(one);
    expect(found.filter((one) => !(one in differences))).toEqual([]);
  });

  test('differs only where it is written down', () => {
    expect(Object.keys(differences).filter((one) => !seen.has(one))).toEqual([]);
  });
});

describe('the check of a schema', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string', enum: ['x'] } } };
  test.each([
    [{ a: 'x' }, []],
    [{}, ['answer.a: missing']],
    [{ a: null }, ['answer.a: null']],
    [{ a: 1 }, ['answer.a: integer instead of string']],
    [{ a: 'y' }, ['answer.a: "y" is not in the enumeration']],
    [[], ['answer: array instead of object']],
  ])('finds in %j what is wrong', (value, wrong) => {
    expect(mismatches(v2Document, schema, value)).toEqual(wrong);
  });
});
