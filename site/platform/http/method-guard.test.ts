import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusesWrites } from './method-guard.ts';

let server: Server;
beforeAll(async () => {
  server = createServer((req, res) => void (refusesWrites(req, res) || res.end('a page')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
});

async function ask(method: string): Promise<[status: number | undefined, allow: string | undefined]> {
  const asking = request({ port: (server.address() as AddressInfo).port, method, agent: false }).end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  return [answer.statusCode, answer.headers.allow];
}

test.each(['GET', 'HEAD'])('%s may read a page', async (method) => {
  expect(await ask(method)).toEqual([200, undefined]);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s on a page is refused',
  async (method) => {
    expect(await ask(method)).toEqual([405, 'GET, HEAD']);
  },
);
