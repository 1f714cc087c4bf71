import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { listeningApi } from '../../testing/listening-api.ts';

/** What a request counts for the rate limit, and the key that skips it. */
const database = testDatabase();
const key = 'a key of this site only';
const api = testApi(database, { RATE_LIMIT_PER_MINUTE: '20', RATE_LIMIT_KEY: key });
const server = listeningApi(api);

const remaining = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'));
let clients = 0;
const address = () => `10.1.${clients >> 8}.${clients++ & 255}`;
const ids = (count: number) =>
  encodeURIComponent(JSON.stringify(Array.from({ length: count }, (_, at) => `AABB${1000 + at}`)));

test('long lists of ids and plans count more than one request', async () => {
  const client = { address: address() };
  expect(remaining(await api.call('GET', '/v2/tag/loader', client))).toBe(19);
  expect(remaining(await api.call('GET', `/v2/projects?ids=${ids(500)}`, client))).toBe(14);
  expect(remaining(await api.call('POST', '/v3/content/resolve', { ...client, json: {} }))).toBe(9);
  const refused = await api.call('GET', `/v2/projects?ids=${ids(1100)}`, client);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(remaining(await api.call('GET', '/v2/tag/loader', client)), 'a refused request costs nothing').toBe(
    8,
  );
});

test('a request that costs more than the limit is possible when nothing else was asked', async () => {
  const client = { address: address() };
  expect((await api.call('GET', `/v2/projects?ids=${ids(2500)}`, client)).status).toBe(200);
  expect((await api.call('GET', '/v2/tag/loader', client)).status).toBe(429);
});

test.each([
  [key, 200],
  [`${key}!`, 429],
  ['', 429],
])('the key %j skips the limiter only if it is right', async (sent, status) => {
  const client = { address: address(), headers: { 'x-ratelimit-key': sent } };
  const answers: number[] = [];
  for (let i = 0; i < 21; i++) answers.push((await api.call('GET', '/v2/tag/loader', client)).status);
  expect(answers.at(-1)).toBe(status);
});

test('a long answer counts by its bytes, once it is sent', async () => {
  const before = remaining(await fetch(`${server.url}/v2/tag/loader`));
  const made = await Promise.all(
    Array.from({ length: 20 }, () => build.project(database.sql, { body: 'x'.repeat(65_536) })),
  );
  const list = encodeURIComponent(JSON.stringify(made.map(({ id }) => id)));
  const answer = await fetch(`${server.url}/v2/projects?ids=${list}`, {
    headers: { 'accept-encoding': 'identity' },
  });
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1.25 * 1024 ** 2);
  // 1.25 MiB of texts are five requests more, beside the two that were sent
  await expect
    .poll(async () => remaining(await api.call('OPTIONS', '/v2/tag/loader', { address: '127.0.0.1' })))
    .toBe(before - 1 - 5);
});
