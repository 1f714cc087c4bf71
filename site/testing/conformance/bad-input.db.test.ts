import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import {
  oddIds,
  oddTexts,
  oddValues,
  unknownField,
  type Wrong,
  wrongForms,
  wrongJson,
  wrongPictures,
} from './bad-bodies.ts';
import { type Changed, fill, request } from './request.ts';
import { type Sample, sampleOf } from './samples.ts';
import { stored } from './stored.ts';
import { people, type World, world } from './world.ts';

/**
 * Wrong requests to every served route, derived from its right one, as someone who may call it. Each gets a 4xx with
 * error and description, or the empty 404 of v2; rows and stored files stay as they were. Source: api-v2 §1.5.
 */
const database = testDatabase();
const api = testApi(database);
let made: World;
let routes: string[];

beforeAll(async () => {
  made = await world(database.sql, await people(database.sql));
  routes = servedRoutes(api.services).filter(
    (route) => /\/v[23]\//.test(route) && !route.includes('session/'),
  );
});

const everything = async () => await stored(database.sql, api.services);

async function answerOf(route: string, changed: Changed): Promise<string> {
  const answer = await request(api, made, route, { token: made.tokens.member, ...changed });
  const text = await answer.text();
  if (answer.status < 400) return 'accepted';
  if (answer.status >= 500) return `${answer.status}`;
  if (text === '')
    return answer.status === 404 && route.includes('/v2/') ? 'refused' : `${answer.status} without a body`;
  const { error, description } = JSON.parse(text) as Record<string, unknown>;
  return error && description ? 'refused' : `${answer.status} ${text}`;
}

/**
 * A team that does not exist has no members; a session or token that is not one’s own is left alone in silence. Source:
 * api-v2 §9; api-v3 §4.1, §4.2.
 */
const listsNobody = /^GET .*\/team\/:id\/members$|^(DELETE|PATCH) .*\/(pat|session)\/:id$/;

const bodiesOf = ({ json, data, picture }: Sample): readonly Wrong[] =>
  json !== undefined ? wrongJson : data ? wrongForms : picture ? wrongPictures : [];

describe('wrong requests', () => {
  test('are refused when their body is none that the route parses', { timeout: 120_000 }, async () => {
    const before = await everything();
    const others: string[] = [];
    for (const route of routes) {
      for (const { name, body, type } of bodiesOf(sampleOf(route))) {
        const found = await answerOf(route, { body, headers: { 'content-type': type } });
        if (found !== 'refused') others.push(`${route}, ${name}: ${found}`);
      }
    }
    expect(others).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test('are refused with an expired token, and change nothing', { timeout: 120_000 }, async () => {
    const before = await everything();
    const others: string[] = [];
    // who signs in or up may come with an old token
    const open = /^GET|search|version_file|content\/resolve|\/auth\/(create|passkey\/start|password\/reset)/;
    for (const route of routes.filter((one) => !open.test(one))) {
      const found = await answerOf(route, { token: made.tokens.expired });
      if (found !== 'refused') others.push(`${route}: ${found}`);
    }
    expect(others).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test('with ids of nothing are refused', { timeout: 120_000 }, async () => {
    const before = await everything();
    const others: string[] = [];
    for (const route of routes.filter((one) => one.includes(':') && !listsNobody.test(one))) {
      for (const id of oddIds) {
        const path = route.split(' ')[1]!.replace(/:\w+(\{[^}]*\})?/g, id);
        const found = await answerOf(route, { path });
        if (found !== 'refused') others.push(`${route}, ${id.slice(0, 9)}: ${found}`);
      }
    }
    expect(others).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test('never lead to an internal error, whatever stands in a field or in the query', {
    timeout: 180_000,
  }, async () => {
    const others: string[] = [];
    for (const route of routes) {
      for (const changed of spoiled(sampleOf(route))) {
        const found = await answerOf(route, changed);
        if (!/^(accepted|refused)$/.test(found))
          others.push(`${route} ${JSON.stringify(changed).slice(0, 80)}: ${found}`);
      }
    }
    expect(others).toEqual([]);
  });
});

/** The right request with one field or query value replaced by an odd one, or missing. */
function spoiled({ query, json, data }: Sample): Changed[] {
  const fields = json ?? data;
  const values = [...oddTexts, ...oddValues];
  const entries = typeof fields === 'object' && fields !== null ? Object.entries(fields) : [];
  const { body, type } = unknownField;
  const unknown: Changed[] = json === undefined ? [] : [{ body, headers: { 'content-type': type } }];
  const bodies = entries.flatMap(([name]) => [
    ...values.map((value) => ({ ...fields, [name]: value })),
    Object.fromEntries(entries.filter(([other]) => other !== name)),
  ]);
  const queries = Object.keys(query ?? {}).flatMap((name) =>
    ['', '[', '["x"', '%00', '%ff', '[[]]', 'x'.repeat(3000)].map((value) =>
      `?${new URLSearchParams({ ...query, [name]: '' })}`.replace(`${name}=`, `${name}=${value}`),
    ),
  );
  return [
    ...unknown,
    ...bodies.map((body) => bodyOf(body, data !== undefined)),
    ...queries.map((text): Changed => ({ query: fill(text, made.values) })),
  ];
}

function bodyOf(fields: object, as_form: boolean): Changed {
  const text = fill(JSON.stringify(fields), made.values);
  if (!as_form) return { body: text, headers: { 'content-type': 'application/json' } };
  const form = new FormData();
  form.append('data', text);
  form.append('file', new Blob(['x']), 'a.jar');
  return { body: form };
}
