import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { listeningPorts } from './ports.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});

it.each(['127.0.0.1', '::1', '0.0.0.0'])('a port with a listener at %s is found', async (host) => {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, host, done));
  const { port } = server.address() as AddressInfo;
  expect(await listeningPorts()).toContain(port);
});

it('a UDP port that takes messages is found', async () => {
  const socket = createSocket('udp4');
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  const { port } = socket.address();
  expect(await listeningPorts()).toContain(port);
  socket.close();
});

it('a port that is only dialled from is free to listen on', async () => {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  servers.length = 0;
  expect(await listeningPorts()).not.toContain(port);
});
