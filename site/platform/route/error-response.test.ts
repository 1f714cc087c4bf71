import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import type { AppServices } from '../context.ts';
import { errorResponse } from './error-response.ts';
import type { ApiEnv } from './types.ts';

test('the log line of a bug begins with the words of the specification', async () => {
  const logged: unknown[][] = [];
  const log = { error: (...line: unknown[]) => logged.push(line) };
  const services = { settings: parseSettings({}), log } as unknown as AppServices;
  const bug = new Error('a bug');
  const app = new Hono<ApiEnv>();
  app.get('/v2/x', (c) => {
    c.set('services', services);
    return errorResponse(c, bug, { create_errors: false });
  });
  expect((await app.request('/v2/x')).status).toBe(500);
  const about = expect.objectContaining({ err: bug, path: '/v2/x' });
  expect(logged).toEqual([[about, expect.stringMatching(/^An error occurred: /)]]);
});
