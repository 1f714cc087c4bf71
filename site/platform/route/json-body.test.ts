import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refused } from '#db/platform/errors.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { jsonBody } from './json-body.ts';

let server: Server;
let port: number;
let read: Promise<unknown>;
beforeAll(async () => {
  const fetch = async (request: Request) => {
    read = jsonBody(request, parseSettings({}), { window_ms: 150 }).catch((error: unknown) => error);
    const got = await read;
    return Response.json(got instanceof Refused ? { code: got.code } : got);
  };
  server = createAdaptorServer({ fetch }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = async (body: string | Buffer) =>
  await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: body as never })).json();

/** Announces more bytes than it sends, over a bare socket. */
const begin = () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"hashes":');
  return socket;
};

test('JSON is parsed whatever its content type, also after a byte order mark', async () => {
  expect(await send('{"a":"é"}')).toEqual({ a: 'é' });
  expect(await send('\ufeff[1]')).toEqual([1]);
});

test.each<[string, string | Buffer, string]>([
  ['nothing', '', 'invalid_input'],
  ['half of an object', '{"a":', 'invalid_input'],
  ['brackets without end', '['.repeat(200_000), 'invalid_input'],
  ['bytes that are no UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 'invalid_input'],
  ['more than 2 MiB', `"${'x'.repeat(2 * 1024 * 1024)}"`, 'body_too_large'],
])('%s is refused', async (_what, body, code) => {
  expect(await send(body)).toEqual({ code });
});

test('more than 2 MiB is refused even without a Content-Length', async () => {
  let left = 40;
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(Buffer.alloc(64 * 1024, ' '));
      else controller.close();
    },
  });
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, duplex: 'half' } as never);
  expect(await answer.json()).toEqual({ code: 'body_too_large' });
});

test('a client that stops sending is answered after the time limit', async () => {
  const socket = begin();
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('upload_too_slow');
  socket.destroy();
});

test('a client that disconnects is not logged as an internal error', async () => {
  const requested = once(server, 'request');
  const socket = begin();
  await requested;
  socket.resetAndDestroy();
  expect(await read).toMatchObject({ code: 'upload_incomplete' });
});
