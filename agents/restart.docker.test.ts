import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakePlane } from './testing/fake-plane.ts';
import {
  type AgentFixture,
  agentFixture,
  expectCompleteConsole,
  lastTick,
  wait_options,
} from './testing/fixture.ts';

/** Agents and control planes that fail in the middle of everything, and come back. */
let fixture: AgentFixture;

beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(async () => {
  await fixture.end();
});

it('a killed agent finds its server when it is started again: no line is lost, doubled or renumbered', async () => {
  const { plane, running, printed } = fixture;
  let agent = fixture.spawn();
  const id = await running();
  const container = await (await fixture.containerOf(id)).inspect();
  await plane.type(id, 'say before');
  const known = await plane.socket!.timeout(20_000).emitWithAck('console.commands', { server_id: id });
  expect(known.commands).toHaveLength(2);
  await plane.type(id, 'tick 2');
  await vi.waitFor(() => expect(lastTick(fixture, id)).toBeGreaterThan(50), wait_options);
  for (let round = 0; round < 2; round++) {
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    plane.socket = null;
    agent = fixture.spawn();
    await vi.waitFor(() => expect(plane.socket).not.toBeNull(), wait_options);
    // the console is attached as soon as a command arrives
    await vi.waitFor(
      async () => expect(await plane.type(id, `say again ${round}`)).toEqual({ delivered: true }),
      wait_options,
    );
    await printed(id, `[Server] again ${round}`);
  }
  const tick = lastTick(fixture, id);
  await vi.waitFor(() => expect(lastTick(fixture, id)).toBeGreaterThan(tick + 50), wait_options);
  expectCompleteConsole(fixture, id);
  expect(plane.texts(id).filter((text) => text === 'say again 0')).toHaveLength(1);
  // what was left out before the agent was killed is left out of the log that is read again
  expect(plane.texts(id).filter((text) => /^\/|help page/.test(text))).toEqual([]);
  const now = await (await fixture.containerOf(id)).inspect();
  expect([now.Id, now.State.StartedAt]).toEqual([container.Id, container.State.StartedAt]);
  expect(plane.powers(id)).toEqual(['starting', 'running']);
});

it('a server that crashed while the agent was down is reported with its last lines', async () => {
  const { plane, running, power } = fixture;
  const first = fixture.spawn();
  const id = await running();
  const container = await fixture.containerOf(id);
  first.kill('SIGKILL');
  await once(first, 'exit');
  await container.kill({ signal: 'SIGKILL' });
  await container.wait();
  fixture.spawn();
  await power(id, 'crashed');
  expect(plane.of(id, 'server.power').at(-1)?.data).toMatchObject({
    exit_code: 137,
    last_lines: ['Booting', 'Done (0.1s)! For help, type "help"'],
  });
  await plane.setDesired(id, { power: 'off' });
});

it('a control plane that comes back receives everything once, in order, and its viewers miss no line', async () => {
  const { plane, running, start } = fixture;
  const agent = start();
  const id = await running();
  await plane.type(id, 'tick 2');
  await vi.waitFor(() => expect(lastTick(fixture, id)).toBeGreaterThan(20), wait_options);
  const port = plane.port;
  await plane.close();
  const heard = lastTick(fixture, id);
  const container = await fixture.containerOf(id);
  await container.kill({ signal: 'SIGKILL' });
  await container.wait();
  const next = new FakePlane(plane.installation);
  next.specs.set(id, plane.specs.get(id)!);
  next.lease = plane.lease;
  next.watched = [id];
  await next.listen(port);
  try {
    await vi.waitFor(() => expect(next.power(id)).toBe('running'), wait_options);
    expect(next.powers(id)).toEqual(['stopped', 'starting', 'running']);
    const seqs = [...plane.events, ...next.events].map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(new Set([...plane.events, ...next.events].map(({ stream_id }) => stream_id)).size).toBe(1);
    const all = [...plane.batches, ...next.batches].filter(
      ({ epoch }) => epoch === plane.batches.at(-1)?.epoch,
    );
    const ticks = new Set(all.flatMap(({ lines }) => lines.map(({ text }) => text)));
    for (let tick = 1; tick <= heard; tick++) expect(ticks).toContain(`tick ${tick}`);
  } finally {
    agent.close();
    await next.close();
  }
});

it('a flood reaches a slow control plane, and the server never waits', async () => {
  const { plane, running, printed, start } = fixture;
  const agent = start();
  try {
    const id = await running();
    plane.acks_console = false;
    const before = plane.batches.length;
    await plane.type(id, 'spam 20000');
    await plane.type(id, 'say through');
    // the window is full and nothing is acknowledged, yet the process wrote everything
    await vi.waitFor(async () => {
      const answer = await plane
        .socket!.timeout(20_000)
        .emitWithAck('console.tail', { server_id: id, before: null, limit: 1 });
      expect(answer.lines[0]?.text).toBe('[Server] through');
    }, wait_options);
    expect(plane.batches.length).toBe(before);
    plane.acks_console = true;
    plane.socket?.disconnect(true);
    await printed(id, '[Server] through');
    const texts = plane.texts(id);
    expect(texts.filter((text) => text.startsWith('spam ')).slice(-1)).toEqual(['spam 20000 of 20000']);
  } finally {
    agent.close();
  }
});

it('two agents do not share a folder', async () => {
  const agent = fixture.start();
  try {
    expect(() => fixture.start()).toThrow(/Another agent uses/);
  } finally {
    agent.close();
  }
});

it('an agent that the control plane does not know ends with a message and code 2, without reconnecting', async () => {
  const { plane, data } = fixture;
  plane.refuse = 'agent_secret_invalid';
  // a program to run, not a module to import
  const cairn = join(import.meta.dirname, '../bin/cairn.ts');
  const child = spawn(process.execPath, [
    cairn,
    'agent',
    '--url',
    plane.url,
    '--join',
    'used',
    '--data',
    data,
  ]);
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words += chunk;
  });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(2);
  expect(words).toContain('The control plane rejected this agent: agent_secret_invalid');
  expect(plane.handshakes).toHaveLength(1);
  expect(plane.handshakes[0]).toMatchObject({ join_token: 'used', protocol: [1, 1] });
});
