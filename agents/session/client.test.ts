import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakePlane } from '../testing/fake-plane.ts';
import { type Connection, connect } from './client.ts';

let planes: FakePlane[];
beforeEach(async () => {
  planes = [new FakePlane('test'), new FakePlane('test')];
  for (const plane of planes) await plane.listen();
});
afterEach(async () => {
  for (const plane of planes) await plane.close();
});

function open(urls: string[]): { link: Connection; welcomes: string[]; rejected: string[] } {
  const [welcomes, rejected]: string[][] = [[], []];
  const link = connect({
    ...{ urls, log: pino({ level: 'silent' }), agent_version: '2.0.0', boot_id: randomUUID() },
    credentials: () => ({ join_token: 'join-me' }),
    onWelcome: () => void welcomes!.push(link.url()),
    onDisconnect: () => {},
    onRejected: (error) => void rejected!.push(error.message),
  });
  onTestFinished(() => link.close());
  return { link, welcomes: welcomes!, rejected: rejected! };
}

describe('an agent with several addresses', () => {
  it('goes to the other plane when its own ends, within a second', async () => {
    const urls = planes.map(({ url }) => url);
    const { link, welcomes } = open(urls);
    await vi.waitFor(() => expect(welcomes).toHaveLength(1));
    const own = planes.find(({ url }) => url === link.url())!;
    const began = performance.now();
    await own.close();
    await vi.waitFor(() => expect(welcomes).toHaveLength(2), { timeout: 5_000, interval: 10 });
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(welcomes[1]).toBe(urls.find((url) => url !== own.url));
  });

  it('goes on when one refuses, hangs, or is no control plane', async () => {
    const held: Socket[] = [];
    const hanging = createTcp((socket) => void held.push(socket.on('error', () => {}))).listen(
      0,
      '127.0.0.1',
    );
    const other = createServer((_req, res) => res.writeHead(404).end()).listen(0, '127.0.0.1');
    await Promise.all([hanging, other].map((server) => once(server, 'listening')));
    onTestFinished(() => {
      for (const socket of held) socket.destroy();
      hanging.close();
      other.close();
    });
    const urlOf = (server: { address(): unknown }) =>
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [good] = planes;
    const urls = [urlOf(hanging), urlOf(other), 'http://127.0.0.1:1', 'unix:/nowhere/x.sock', good!.url];
    const { welcomes } = open(urls);
    await vi.waitFor(() => expect(welcomes).toEqual([good!.url]), { timeout: 10_000 });
  });

  it('is rejected only when every plane rejects it', async () => {
    planes[0]!.refuse = 'agent_protocol';
    const urls = planes.map(({ url }) => url);
    const { link, welcomes, rejected } = open(urls);
    await vi.waitFor(() => expect(welcomes).toEqual([planes[1]!.url]), { timeout: 5_000 });
    expect(rejected).toEqual([]);
    planes[1]!.refuse = 'agent_protocol';
    link.reconnect();
    await vi.waitFor(() => expect(rejected).toEqual(['agent_protocol']), { timeout: 5_000 });
  });
});
