import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import '#db/platform/shape.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { publicApis } from '../../api/app.ts';
import { documentOf } from '../../api/openapi-document.ts';
import { testApi } from '../../testing/api.ts';

/** Refusals that a pattern makes are said in words: nobody reads a regular expression. */
const database = testDatabase();
const api = testApi(database);
const expression = /\/\^|\$\/|\\d|\[a-z|pattern/;

interface Schema {
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}

test('a pattern without words of its own has some', () => {
  const { error } = z
    .string()
    .regex(/^[a-z]{2,}$/)
    .safeParse('1');
  expect(error!.issues[0]!.message).toBe('has a form that is not allowed here');
});

describe.each(['/v2', '/v3'] as const)('below %s', (prefix) => {
  test('every operation that takes something of a pattern', async () => {
    const admin = await build.user(database.sql, { role: 'admin' });
    const token = await build.token(database.sql, admin, [...unrestrictedScopes]);
    const document = documentOf(publicApis(api.services)[prefix], prefix, 'https://mods.example');
    const shapes = (document.components?.schemas ?? {}) as unknown as Record<string, Schema>;
    /** A body whose texts with a pattern are wrong; undefined without any. */
    const wrong = (given: Schema | undefined, depth = 0): unknown => {
      const schema = given?.$ref ? shapes[given.$ref.split('/').at(-1)!] : given;
      if (!schema || depth > 6) return undefined;
      if (schema.pattern) return '~ ~';
      const inner = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map((one) => wrong(one, depth + 1));
      const found = inner.find((one) => one !== undefined);
      if (found !== undefined) return found;
      if (schema.items) {
        const item = wrong(schema.items, depth + 1);
        return item === undefined ? undefined : [item];
      }
      const fields = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
        const value = wrong(one, depth + 1);
        return value === undefined ? [] : [[name, value] as const];
      });
      return fields.length > 0 ? Object.fromEntries(fields) : undefined;
    };
    let tried = 0;
    for (const [path, item] of Object.entries(document.paths ?? {}))
      for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
        const operation = item[method] as unknown as
          | {
              requestBody?: { content: Record<string, { schema?: Schema }> };
              parameters?: Array<{ name: string; in: string; schema?: Schema }>;
            }
          | undefined;
        if (!operation) continue;
        const json = wrong(operation.requestBody?.content['application/json']?.schema);
        const odd = (operation.parameters ?? []).filter(({ schema }) => schema?.pattern);
        if (json === undefined && odd.length === 0) continue;
        tried++;
        const query = odd.filter((one) => one.in === 'query').map(({ name }) => `${name}=~`);
        const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
          odd.some((one) => one.name === name) ? '~' : 'AABBCCDD',
        );
        const answer = await api.call(method.toUpperCase(), `${prefix}${filled}?${query.join('&')}`, {
          token,
          ...(json === undefined ? {} : { json }),
        });
        const said = await answer.text();
        expect([method, path, said]).toEqual([method, path, expect.not.stringMatching(expression)]);
      }
    expect(tried).toBeGreaterThan(0);
  });
});

test('a version number is refused with the first character that it may not have', async () => {
  const project = await build.project(database.sql);
  const token = await build.token(database.sql, project.owner);
  const { id } = await build.version(database.sql, project);
  for (const prefix of ['v2', 'v3']) {
    const answer = await api.call('PATCH', `/${prefix}/version/${id}`, {
      token,
      json: { version_number: '1.0~beta' },
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({
        description: expect.stringMatching(/version_number: may have letters .*, but not “~”/),
      }),
    ]);
  }
});
