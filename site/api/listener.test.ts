import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiListener } from './listener.ts';

let server: Server;
beforeAll(async () => {
  server = createServer(
    apiListener((request) => Response.json({ url: request.url }), 'https://mods.example.test'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** Sends a request head as it is, and gives status and body of the answer. */
async function answerTo(head: string): Promise<[number, unknown]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  const body = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  return [Number(answer.split(' ')[1]), JSON.parse(body)];
}

test('an HTTP/1.0 client without a Host header is answered', async () => {
  expect(await answerTo('GET /v2/search HTTP/1.0')).toEqual([
    200,
    { url: 'http://mods.example.test/v2/search' },
  ]);
});

test.each([
  'GET /v2/project/a\\b HTTP/1.1\r\nHost: x',
  'GET /v2/search HTTP/1.1\r\nHost: a b',
  'GET /v2/search HTTP/1.1\r\nHost: [::1',
])('%j, which is not a valid address, is refused as JSON', async (head) => {
  expect(await answerTo(head)).toEqual([
    400,
    { error: 'request_error', description: expect.stringMatching(/.{20}/) },
  ]);
});
