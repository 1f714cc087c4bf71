import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiFetch } from './api-client.ts';

let server: Server | undefined;
beforeEach(() => void vi.stubGlobal('document', { documentElement: { lang: 'de-DE' } }));
afterEach(() => {
  vi.unstubAllGlobals();
  server?.closeAllConnections();
  server?.close();
});

/** A server that sends `answers` in turn; gives its base address, the requests it received and their page languages. */
async function listen(...answers: Array<[number, unknown, Record<string, string>?]>) {
  const seen: string[] = [];
  const locales: unknown[] = [];
  const answer: RequestListener = (request, response) => {
    const [status, body, headers = {}] = answers[Math.min(seen.length, answers.length - 1)] as [
      number,
      unknown,
    ];
    seen.push(`${request.method} ${request.url}`);
    locales.push(request.headers['x-page-locale']);
    response
      .writeHead(status, headers as Record<string, string>)
      .end(body === null ? '' : JSON.stringify(body));
  };
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, locales };
}

test('gives the JSON of an answer, null for an empty one', async () => {
  const { base } = await listen([200, { id: 'x' }], [204, null]);
  expect(await apiFetch(`${base}/v2/a`)).toEqual({ ok: true, data: { id: 'x' } });
  expect(await apiFetch(`${base}/v2/a`)).toEqual({ ok: true, data: null });
});

test.each([408, 409, 425, 429, 500, 502, 503, 504])(
  'retries once after %i when the request had no body',
  async (status) => {
    const { base, seen } = await listen([status, null, { 'retry-after': '0' }], [200, [1]]);
    expect(await apiFetch(`${base}/v2/a`)).toEqual({ ok: true, data: [1] });
    expect(seen).toEqual(['GET /v2/a', 'GET /v2/a']);
  },
);

test('does not retry with a body, for other errors, or after a long Retry-After', async () => {
  const busy = await listen([503, { error: 'busy', description: 'later', details: { code: 'busy' } }]);
  expect(await apiFetch(`${busy.base}/v2/a`, { method: 'POST', json: {} })).toMatchObject({
    ok: false,
    error: { code: 'busy' },
  });
  const wrong = await listen([
    400,
    { error: 'request_error', description: 'no', details: { code: 'invalid_input', field: 'x' } },
  ]);
  expect(await apiFetch(`${wrong.base}/v2/a`)).toEqual({
    ok: false,
    error: {
      status: 400,
      code: 'invalid_input',
      description: 'no',
      details: { code: 'invalid_input', field: 'x' },
    },
  });
  const limited = await listen([
    429,
    { error: 'ratelimit_error', description: 'wait' },
    { 'retry-after': '60' },
  ]);
  expect(await apiFetch(`${limited.base}/v2/a`)).toMatchObject({
    ok: false,
    error: { code: 'ratelimit_error', status: 429 },
  });
  for (const { seen } of [busy, wrong, limited]) expect(seen).toHaveLength(1);
});

test('an empty 404 and an unreachable server are errors, not exceptions', async () => {
  const { base } = await listen([404, null]);
  expect(await apiFetch(`${base}/v2/a`)).toMatchObject({
    ok: false,
    error: { status: 404, code: 'not_found' },
  });
  expect(await apiFetch('http://127.0.0.1:9/')).toMatchObject({
    ok: false,
    error: { status: 0, code: 'offline' },
  });
});

test('every request names the language of the page', async () => {
  const { base, locales } = await listen([200, null]);
  await apiFetch(`${base}/v2/a`);
  await apiFetch(`${base}/v2/a`, { method: 'POST', json: {} });
  expect(locales).toEqual(['de-DE', 'de-DE']);
});
