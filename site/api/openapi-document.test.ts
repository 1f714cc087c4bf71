import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { refusals } from '#db/platform/errors.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import type { AppServices } from '../platform/context.ts';
import type { Parameter } from '../platform/route/parameters.ts';
import { statusAt } from '../platform/route/refusals.ts';
import recorded from '../testing/refusals.json' with { type: 'json' };
import { publicApis } from './app.ts';
import { documentOf } from './openapi-document.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Array<{ token?: string[] }>;
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, { 'x-refusals'?: string[] }>;
}

const apis = publicApis({ settings: parseSettings({}) } as AppServices);
const documents = Object.entries(apis).map(([prefix, api]) => {
  const document = documentOf(api, prefix, 'https://mods.example');
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  return { prefix, api, document, operations };
});
const codesOf = ({ responses }: Operation): string[] =>
  Object.values(responses).flatMap((answer) => answer['x-refusals'] ?? []);

describe.each(documents)('the document of $prefix', ({ prefix, api, document, operations }) => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(
      structuredClone(document) as object as Record<string, unknown>,
    );
    expect(result).toMatchObject({ valid: true });
    expect(document.openapi).toBe('3.1.0');
  });

  it('has every route that is served, and no other', () => {
    const served = api.routes
      .filter(({ path }) => path !== '/openapi.json')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ route }) => route).sort()).toEqual([...new Set(served)].sort());
  });

  it('refers only to shapes that it has', () => {
    const shapes = Object.keys(document.components?.schemas ?? {});
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(shapes).toEqual(expect.arrayContaining(named));
  });

  it('gives every operation a name of its own', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('says of every operation who may call it, what it answers and how it refuses', () => {
    for (const { route, operation } of operations) {
      expect([route, operation.summary, operation.security?.length]).not.toContain(undefined);
      expect([route, Object.keys(operation.responses)]).toEqual([
        route,
        expect.arrayContaining([expect.stringMatching(/^(20[04]|307)$/), '429', '503']),
      ]);
    }
  });

  it('says of every parameter what it means', () => {
    const silent = operations.flatMap(({ route, operation }) =>
      (operation.parameters ?? []).filter((one) => !one.description).map(({ name }) => `${route} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('names only refusals that exist, under their status', () => {
    for (const { route, operation } of operations)
      for (const [status, answer] of Object.entries(operation.responses))
        for (const code of answer['x-refusals'] ?? [])
          expect([route, code, statusAt(prefix, refusals[code as keyof typeof refusals]?.[0])]).toEqual([
            route,
            code,
            Number(status),
          ]);
  });

  it('names every refusal that was recorded', () => {
    const missing = recorded.flatMap(({ method, path, answer }) => {
      const code = answer.split(' ')[2];
      const known = operations.find(
        ({ route }) =>
          code && pattern(`${prefix}${route.split(' ')[1]}`).test(path) && route.startsWith(`${method} `),
      );
      return known && !codesOf(known.operation).includes(code!) ? [`${known.route}: ${code}`] : [];
    });
    expect([...new Set(missing)]).toEqual([]);
  });
});

/** Literal parts before parameters: `/version_file/{hash}` does not take `/version_files`. */
const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`);
