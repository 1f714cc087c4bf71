import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import type { AppServices } from '../platform/context.ts';
import { servedRoutes } from '../testing/reference/served.ts';

test('every call of our scripts is a route of the API', () => {
  const text = readFileSync(new URL('./api-calls.ts', import.meta.url), 'utf8');
  const calls = [...text.matchAll(/^ +'([A-Z]+ \/[^']+)':/gm)].map(([, call]) => call!);
  expect(calls.length).toBeGreaterThan(20);
  const services = { settings: parseSettings({}), log: pino({ level: 'silent' }) } as AppServices;
  const served = servedRoutes(services).map((route) => route.replace(/:(\w+)/g, '{$1}'));
  expect(calls.filter((call) => !served.includes(call))).toEqual([]);
});
