import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exec } from '../programs/exec.ts';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';
import { server_network } from './network.ts';

/** Two servers of renters who do not trust each other, and a program on the host that listens on every address. */
let fixture: AgentFixture;
let agent: { close(): void };
let onHost: Server;
let [one, other] = ['', ''];

beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start();
  onHost = createServer((socket) => socket.end()).listen(0, '0.0.0.0');
  [one, other] = [await fixture.running(), await fixture.running()];
  fixture.plane.watch(one, other);
});
afterAll(async () => {
  onHost?.close();
  agent?.close();
  await fixture?.end();
});

const port = (): number => (onHost.address() as { port: number }).port;
async function dialled(to: string): Promise<string> {
  await fixture.plane.type(one, `dial ${to}`);
  const answer = await vi.waitFor(() => {
    const line = fixture.plane.texts(one).find((text) => text.startsWith(`dialled ${to}: `));
    expect(line).toBeDefined();
    return line!;
  }, wait_options);
  return answer.slice(`dialled ${to}: `.length);
}
async function addressOf(id: string): Promise<{ own: string; gateway: string }> {
  const { NetworkSettings } = await (await fixture.containerOf(id)).inspect();
  expect(Object.keys(NetworkSettings.Networks)).toEqual([server_network.name]);
  const { IPAddress, Gateway } = NetworkSettings.Networks[server_network.name]!;
  return { own: IPAddress, gateway: Gateway };
}

describe('a game server', () => {
  it('reaches itself, so that the program of this test works', async () => {
    expect(await dialled('127.0.0.1 25565')).toBe('connected');
  });

  it('does not reach another game server', async () => {
    const { own } = await addressOf(other);
    expect(await dialled(`${own} 25565`)).not.toBe('connected');
  });

  it('does not reach what listens on the host, by its gateway or by any other address of the host', async () => {
    const { gateway } = await addressOf(one);
    const own = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address);
    for (const address of new Set([gateway, ...own]))
      expect(await dialled(`${address} ${port()}`), address).not.toBe('connected');
  });

  it('cannot reach private and link-local addresses, by rules in the chain of Docker', async () => {
    const rules = await exec('iptables', '-w', '10', '-S', 'CAIRN-SERVERS');
    for (const range of ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
      expect(rules).toContain(`-A CAIRN-SERVERS -d ${range} -j DROP`);
    const hook = `-A DOCKER-USER -i ${server_network.bridge} -j CAIRN-SERVERS`;
    const hooks = (await exec('iptables', '-w', '10', '-S', 'DOCKER-USER')).split('\n');
    expect(hooks.filter((line) => line === hook)).toHaveLength(1);
  });
});
