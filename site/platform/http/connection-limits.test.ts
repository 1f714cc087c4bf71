import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundConnections } from './connection-limits.ts';

const server = createServer((_req, res) => res.end('there'));
let ends: Array<() => void> = [];
afterEach(async () => {
  for (const end of ends) end();
  ends = [];
  server.close();
  server.removeAllListeners('connection');
});

const ask = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

/** Opens a connection that asks for a page and stays open; gives whether it was answered. */
async function opened(from: string): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  ends.push(() => socket.destroy());
  socket.on('error', () => {});
  socket.write(ask);
  return await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

test('one network has so many connections, and others theirs', async () => {
  boundConnections(server, { total: 100, per_network: 3 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const of_one: boolean[] = [];
  for (let at = 0; at < 5; at += 1) of_one.push(await opened('127.0.0.2'));
  expect(of_one).toEqual([true, true, true, false, false]);
  expect(await opened('127.0.0.3')).toBe(true);
  ends.splice(0, 1)[0]!();
  await expect.poll(() => opened('127.0.0.2')).toBe(true);
});
