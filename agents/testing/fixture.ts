import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { type AgentOptions, startAgent } from '../agent.ts';
import { unmountBelow } from '../disk/mounts.ts';
import { labels } from '../docker/client.ts';
import type { AgentSettings } from '../settings.ts';
import { FakePlane } from './fake-plane.ts';
import { shortIntervals, tinyServer, tinyServerImage } from './tiny-server.ts';

const program = fileURLToPath(new URL('agent.ts', import.meta.url));

/** For conditions that are waited for: a busy machine may take long, only a failure waits to the end. */
export const wait_options = { timeout: 45_000, interval: 25 };

/**
 * A control plane, a folder for an agent of `tinyServer`, and Docker; `start` runs that agent in this process,
 * `spawn` as a process of its own that can be killed. `end` removes all their containers.
 */
export async function agentFixture(docker = new Docker()) {
  const installation = `test-${randomBytes(6).toString('hex')}`;
  const image = await tinyServerImage(new Docker());
  const plane = new FakePlane(installation);
  await plane.listen();
  // `bin/run-folder.ts` finds by the process id whether the test still runs
  const data = await mkdtemp(join(tmpdir(), `cairn-agent-${process.pid}-`));
  const start = (
    kinds: Pick<AgentOptions, 'kindOf' | 'ensureImage'> = {},
    disk: AgentSettings['disk'] = process.env.CAIRN_AGENT_DISK === 'auto' ? 'auto' : 'measured',
  ) =>
    startAgent({
      settings: { urls: [plane.url], join: 'join-me', data, disk, log_level: 'silent', allow_private: true },
      log: pino({ level: process.env.AGENT_LOG ?? 'silent' }),
      onRejected: (error) => {
        throw error;
      },
      intervals: shortIntervals,
      kindOf: () => tinyServer,
      ensureImage: async () => image,
      ...kinds,
    });
  const own = () =>
    docker.listContainers({ all: true, filters: { label: [`${labels.installation}=${installation}`] } });
  const children: ChildProcess[] = [];
  return {
    docker,
    plane,
    data,
    image,
    start,
    /** `by` is put before the command, such as `unshare`. */
    spawn(env: Record<string, string> = {}, by: string[] = []): ChildProcess {
      const [file = '', ...args] = [...by, process.execPath, program, plane.url, data, image];
      // it ends with the process of the test
      const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
      const child = spawn(file, args, { stdio: [...stdio], env: { ...process.env, ...env } });
      children.push(child);
      return child;
    },
    /** Waits until the control plane received that power of a server. */
    power: (id: string, wanted: string) =>
      vi.waitFor(() => expect(plane.power(id)).toBe(wanted), wait_options),
    /** Requests a running server, and waits until it runs. */
    async running(change: Parameters<FakePlane['setDesired']>[1] = {}): Promise<string> {
      const id = serverId();
      await vi.waitFor(() => expect(plane.socket).not.toBeNull(), wait_options);
      plane.watch(id);
      await plane.setDesired(id, { power: 'on', port: await freePort(), ...change });
      await vi.waitFor(() => expect(plane.power(id)).toBe('running'), wait_options);
      return id;
    },
    printed: (id: string, text: string) =>
      vi.waitFor(() => expect(plane.texts(id)).toContain(text), wait_options),
    containerOf: async (id: string) =>
      docker.getContainer((await own()).find(({ Labels }) => Labels[labels.server] === id)?.Id ?? 'none'),
    async end() {
      for (const child of children) child.kill('SIGKILL');
      await plane.close();
      await Promise.all(
        (await own()).map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })),
      );
      await unmountBelow(data);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
export type AgentFixture = Awaited<ReturnType<typeof agentFixture>>;

/** Of a container that is no game server: `bin/containers.ts` finds by it whether its test still runs. */
export const testLabels = () => ({ 'cairn.test': String(process.pid) });

export const serverId = () => `S${randomBytes(5).toString('hex')}`;

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** The last number that `tick` printed, 0 before. */
export function lastTick({ plane }: AgentFixture, id: string): number {
  const ticks = [...plane.lines(id).values()].filter(({ text }) => text.startsWith('tick '));
  return Math.max(0, ...ticks.map(({ text }) => Number(text.slice('tick '.length)) || 0));
}

/** Expects every number of `tick` once and in order, and lines numbered without a gap. */
export function expectCompleteConsole({ plane }: AgentFixture, id: string): void {
  const lines = [...plane.lines(id).values()].sort((a, b) => a.seq - b.seq);
  const ticks = lines.filter(({ text, stream }) => text.startsWith('tick ') && stream === 'out');
  const said = ticks.map(({ text }) => Number(text.slice('tick '.length)));
  expect(said).toEqual(said.map((_, index) => index + 1));
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
}
