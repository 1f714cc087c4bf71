import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiFetch, requestFrom, sendTo } from './api-client.ts';

let server: Server | undefined;
const send = fetch;
/** Paths lead to `base`, as they do to the origin of a page. */
const reach = (base: string) =>
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(base + path, init));
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
  reach(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { seen, locales };
}

test('gives the JSON of an answer, null for an empty one', async () => {
  await listen([200, { id: 'x' }], [204, null]);
  expect(await sendTo('/v2/a')).toEqual({ ok: true, data: { id: 'x' } });
  expect(await sendTo('/v2/a')).toEqual({ ok: true, data: null });
});

test.each([408, 409, 425, 429, 500, 502, 503, 504])(
  'retries once after %i when the request had no body',
  async (status) => {
    const { seen } = await listen([status, null, { 'retry-after': '0' }], [200, [1]]);
    expect(await sendTo('/v2/a')).toEqual({ ok: true, data: [1] });
    expect(seen).toEqual(['GET /v2/a', 'GET /v2/a']);
  },
);

test('does not retry with a body, for other errors, or after a long Retry-After', async () => {
  const busy = await listen([503, { error: 'busy', description: 'later', details: { code: 'busy' } }]);
  expect(await sendTo('/v2/a', { method: 'POST', json: {} })).toMatchObject({
    ok: false,
    error: { code: 'busy' },
  });
  const wrong = await listen([
    400,
    { error: 'request_error', description: 'no', details: { code: 'invalid_input', field: 'x' } },
  ]);
  expect(await sendTo('/v2/a')).toEqual({
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
  expect(await sendTo('/v2/a')).toMatchObject({
    ok: false,
    error: { code: 'ratelimit_error', status: 429 },
  });
  for (const { seen } of [busy, wrong, limited]) expect(seen).toHaveLength(1);
});

test('an empty 404 and an unreachable server are errors, not exceptions', async () => {
  await listen([404, null]);
  expect(await sendTo('/v2/a')).toMatchObject({
    ok: false,
    error: { status: 404, code: 'not_found' },
  });
  reach('http://127.0.0.1:9');
  expect(await sendTo('/v2/a')).toMatchObject({
    ok: false,
    error: { status: 0, code: 'offline' },
  });
});

test('every request names the language of the page', async () => {
  const { locales } = await listen([200, null]);
  await sendTo('/v2/a');
  await sendTo('/v2/a', { method: 'POST', json: {} });
  expect(locales).toEqual(['de-DE', 'de-DE']);
});

test.each(['DELETE', 'POST', 'PUT', 'PATCH'] as const)(
  'a %s without a body is sent once more',
  async (method) => {
    const { seen } = await listen([502, null, { 'retry-after': '0' }], [204, null]);
    expect(await sendTo('/v2/a', { method })).toEqual({ ok: true, data: null });
    expect(seen).toEqual([`${method} /v2/a`, `${method} /v2/a`]);
  },
);

test('a DELETE that is not there any more at the second attempt is done; at the first it is a refusal', async () => {
  await listen([504, null, { 'retry-after': '0' }], [404, null]);
  expect(await sendTo('/v2/a', { method: 'DELETE' })).toEqual({ ok: true, data: null });
  await listen([404, null]);
  expect(await sendTo('/v2/a', { method: 'DELETE' })).toMatchObject({ ok: false, error: { status: 404 } });
  await listen([504, null, { 'retry-after': '0' }], [404, null]);
  expect(await sendTo('/v2/a')).toMatchObject({ ok: false, error: { status: 404 } });
});

test('a route is called with its values and its query encoded', async () => {
  const { seen } = await listen([200, []]);
  await apiFetch('GET /v2/project/{id}/version', {
    path: { id: 'a b/c' },
    query: { limit: '1', loaders: '["x"]' },
  });
  expect(seen).toEqual(['GET /v2/project/a%20b%2Fc/version?limit=1&loaders=%5B%22x%22%5D']);
});

test('a path that would lead elsewhere is refused and not sent', async () => {
  const { seen } = await listen([200, null]);
  const invalid = { ok: false, error: { status: 0, description: 'Invalid format' } };
  for (const id of ['', '.', '..'])
    expect([id, await apiFetch('DELETE /v2/version/{id}', { path: { id } })]).toMatchObject([id, invalid]);
  for (const path of [
    '',
    'v2/a',
    '//host/a',
    '/\\host',
    'https://host/a',
    '/v2//a',
    '/v2/../a',
    '/v2/a#b',
    '/v2/a b',
  ]) {
    expect([path, await sendTo(path)]).toMatchObject([path, invalid]);
    expect([path, await requestFrom(path)]).toEqual([path, null]);
  }
  expect(seen).toEqual([]);
  for (const path of ['/', '/v2/a', '/v2/a?b=/../c', '/v2/project/a.b..c', '/mods?q=a+b']) await sendTo(path);
  expect(seen).toHaveLength(5);
});
