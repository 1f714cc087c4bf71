import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startAgent } from './agent.ts';
import { labels } from './engine.ts';
import { testImage, testKind } from './test-kind.ts';
import { TestPlane } from './test-plane.ts';

/** One agent, one plane, real containers. */
const docker = new Docker();
const installation = `test-${randomBytes(6).toString('hex')}`;
const plane = new TestPlane(installation);
let data: string;
let agent: { close(): void };
let image: string;
const serverId = () => `S${randomBytes(5).toString('hex')}`;
const within = { timeout: 20_000, interval: 25 };

beforeAll(async () => {
  image = await testImage(docker);
  await plane.listen();
  data = await mkdtemp(join(tmpdir(), 'cairn-agent-'));
  agent = startAgent({
    settings: { url: plane.url, join: 'join-me', data, log_level: 'silent' },
    log: pino({ level: process.env.AGENT_LOG ?? 'silent' }),
    turnedAway: (error) => {
      throw error;
    },
    kindOf: () => testKind,
    imageOf: async () => image,
  });
  await vi.waitFor(() => expect(plane.line).not.toBeNull(), within);
});

afterAll(async () => {
  agent?.close();
  await plane.close();
  const left = await docker.listContainers({
    all: true,
    filters: { label: [`${labels.installation}=${installation}`] },
  });
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  rmSync(data, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

const power = (id: string, wanted: string) => vi.waitFor(() => expect(plane.power(id)).toBe(wanted), within);

it('starts a server, shows its console, types into it and stops it by its own command', async () => {
  const id = serverId();
  plane.watch(id);
  await plane.want(id, { port: await freePort() });
  await vi.waitFor(() => expect(plane.of(id, 'server.installed')).toHaveLength(1), within);
  await plane.want(id, { power: 'on' });
  await power(id, 'running');
  expect(await plane.type(id, 'say hello')).toEqual({ delivered: true });
  await vi.waitFor(() => expect(plane.texts(id)).toContain('[Server] hello'), within);
  await plane.want(id, { power: 'off' });
  await power(id, 'stopped');
  expect(plane.powers(id)).toEqual(['starting', 'running', 'stopping', 'stopped']);
  expect(plane.of(id, 'server.power').at(-1)?.data).toMatchObject({ exit_code: 0 });
  await vi.waitFor(
    () =>
      expect(plane.texts(id)).toEqual([
        'Booting',
        'Done (0.1s)! For help, type "help"',
        'say hello',
        '[Server] hello',
        'stop',
        'Stopping',
      ]),
    within,
  );
});
