import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterEach, expect, it } from 'vitest';
import { withControlPlane } from './control-client.ts';

const http = createServer();
const io = new Server(http);
afterEach(() => io.close());

it('resends a message after the delay in a temporary refusal, but not after a permanent one', async () => {
  const received: number[] = [];
  io.of('/server').on('connection', (socket) => {
    socket.on('server.delete', (_, ack) =>
      ack({ ok: false, error: 'server_unknown', description: 'No such server.' }),
    );
    socket.on('server.list', (_, ack) => {
      received.push(performance.now());
      const refusal = { ok: false, error: 'too_fast', description: 'Wait a moment.', retry_after_ms: 40 };
      ack(received.length < 4 ? refusal : { ok: true, servers: [] });
    });
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  await withControlPlane({ url, token: 'any' }, async ({ request }) => {
    expect(await request('server.list', {})).toEqual({ ok: true, servers: [] });
    await expect(request('server.delete', { server_id: 'AAAAAAAA' })).rejects.toThrow('No such server.');
  });
  expect(received).toHaveLength(4);
});
