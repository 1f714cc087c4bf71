import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { listeningApi } from '../listening-api.ts';
import { servedRoutes } from '../reference/served.ts';
import { prepared } from './request.ts';
import { sampleOf } from './samples.ts';
import { stored } from './stored.ts';
import { people, type World, world } from './world.ts';

/**
 * Bodies that do not arrive, for every route that takes one, all at once: a client that goes away in the middle, and one
 * that sends too slowly. Nothing half-written remains, and others are answered meanwhile. Source: api-v2 §1.5.
 */
const database = testDatabase();
// a body of the samples is too slow unless it arrives in the window of 15 s
const api = testApi(database, { UPLOAD_MIN_BYTES_PER_SECOND: '100000' });
const server = listeningApi(api);
let made: World;
let routes: string[];
beforeAll(async () => {
  made = await world(database.sql, await people(database.sql));
  routes = servedRoutes(api.services).filter((route) => {
    const { json, data, picture } = sampleOf(route);
    return json !== undefined || data !== undefined || picture;
  });
});

/** The right request of a route as bytes: its head, which announces `more` bytes than the body has, and its body. */
async function bytesOf(route: string, more: number): Promise<{ head: string; body: Buffer }> {
  const { method, url, headers, body } = await prepared(made, route, { token: made.tokens.member });
  const sent = new Request(`http://localhost${url}`, { method, headers, body: body ?? null });
  const bytes = Buffer.from(await sent.arrayBuffer());
  const lines = [
    ...sent.headers,
    ['authorization', made.tokens.member],
    ['content-length', bytes.length + more],
  ];
  const head = `${method} ${url} HTTP/1.1\r\nhost: localhost\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return { head, body: bytes };
}

const socket = async () => {
  const { hostname, port } = new URL(server.url);
  const opened = connect(Number(port), hostname);
  opened.on('error', () => {}); // the server may close it first
  await once(opened, 'connect');
  return opened;
};
const isAnswering = async () => (await fetch(`${server.url}/v2/tag/loader`)).status;

test('a client that goes away in the middle of a body leaves nothing', async () => {
  const before = await stored(database.sql, api.services);
  await Promise.all(
    routes.map(async (route) => {
      const { json } = sampleOf(route);
      // JSON is whole but for one byte that was announced; a form has its end in itself
      const { head, body } = await bytesOf(route, json === undefined ? 0 : 1);
      const client = await socket();
      client.write(head);
      client.write(json === undefined ? body.subarray(0, Math.floor(body.length / 2)) : body);
      await new Promise((done) => setTimeout(done, 300));
      client.destroy();
    }),
  );
  expect(await isAnswering()).toBe(200);
  await new Promise((done) => setTimeout(done, 500));
  await expect.poll(async () => await stored(database.sql, api.services)).toEqual(before);
});

test('a body that arrives too slowly is refused, and nothing of it is stored', {
  timeout: 60_000,
}, async () => {
  const before = await stored(database.sql, api.services);
  const answers = await Promise.all(
    routes.map(async (route) => {
      const { head, body } = await bytesOf(route, 0);
      const client = await socket();
      client.write(head);
      let at = 0;
      const drip = setInterval(() => at < body.length - 1 && client.write(body.subarray(at, ++at)), 500);
      try {
        const [answer] = (await once(client.setEncoding('utf8'), 'data')) as [string];
        return `${route}: ${/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]} ${/"code":"(\w+)"/.exec(answer)?.[1]}`;
      } finally {
        clearInterval(drip);
        client.destroy();
      }
    }),
  );
  const others = answers.filter((text) => !text.endsWith(': 400 upload_too_slow'));
  expect(others).toEqual([]);
  expect(await isAnswering()).toBe(200);
  expect(await stored(database.sql, api.services)).toEqual(before);
});
