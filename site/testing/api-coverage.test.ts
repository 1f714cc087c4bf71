import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import type { AppServices } from '../platform/context.ts';
import { isCovered, owners } from './reference/owners.ts';
import { referenceOperations } from './reference/routes.ts';
import { answers, servedRoutes } from './reference/served.ts';

/** Nothing of the reference is missing, except what other issues build. Source: api-v2 §1.1; api-v3 §3. */
const services = { settings: parseSettings({}), log: pino({ level: 'silent' }) } as AppServices;
const served = servedRoutes(services);
const reference = referenceOperations();
const missing = reference.filter((operation) => !served.some((route) => answers(route, operation)));
const exceptions = Object.values(owners).flat();

describe('the routes of the reference', () => {
  it('are served, except those of other issues', () => {
    const others = missing.filter((one) => !exceptions.some((given) => isCovered(one, given)));
    expect(others).toEqual([]);
  });

  it('have exceptions only for what is not served', () => {
    expect(exceptions.filter((given) => !missing.some((one) => isCovered(one, given)))).toEqual([]);
    const covered = reference.filter((one) => exceptions.some((given) => isCovered(one, given)));
    expect(covered.filter((one) => !missing.includes(one))).toEqual([]);
  });

  it('are as many as the article about the API says', () => {
    const article = readFileSync(new URL('../../content/news/api-compatibility.md', import.meta.url), 'utf8');
    // the socket of launchers is served, beside the routes
    const absent = missing.filter((one) => !one.endsWith('/launcher_socket'));
    expect(article).toContain(`${absent.length} of the ${reference.length} operations answer 404`);
  });

  it('are found by method and path, whatever their parameters are called', () => {
    expect(answers('GET /v2/project/:slug', 'GET /v2/project/{id}')).toBe(true);
    expect(answers('GET /v2/project/:slug', 'POST /v2/project/{id}')).toBe(false);
    expect(answers('GET /v2/project/:slug', 'GET /v2/project/{id}/version')).toBe(false);
  });
});
