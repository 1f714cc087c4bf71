import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { random } from '#db/demo/art/random.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { type ControlClient, withControlPlane } from '../../cairn/control-client.ts';
import type { Cluster, Part } from './cluster.ts';
import { type Viewer, viewerOf } from './console-follower.ts';

/** For everything that must recover after a kill: only a failure waits this long. */
const patience = { timeout: 60_000, interval: 100 };
const most_spam = 200;

/**
 * Sends `operations` requests to one game server, one after the other, while agent, control planes and engine are killed
 * at random moments, and expects that each took effect at most once and as reported, and that no console line was lost.
 * The same seed kills the same parts. Source: hosting §3, §6.
 */
export async function chaos(ground: Cluster, sql: Pool, operations: number, seed: string): Promise<void> {
  const dice = random(seed);
  await withControlPlane({ url: ground.url, token: ground.token }, async (plane) => {
    const run = await beginRun(plane);
    const done: string[] = [];
    const kills = new Map<Part, number>();
    try {
      for (let number = 1; number <= operations; number++) {
        const part = dice.next() < 0.8 ? dice.pick(ground.parts) : null;
        if (part) kills.set(part, (kills.get(part) ?? 0) + 1);
        const [after_ms, what] = [dice.int(0, 400), dice.pick(asked)];
        done.push(`${what}, ${part} dies after ${after_ms} ms`);
        const struck = strikeSoon(ground, after_ms, part);
        await act(run, number, what, part);
        await struck;
        await settled(run);
      }
      await check(run, ground, sql);
      console.log(`chaos: ${operations} operations, kills: ${JSON.stringify(Object.fromEntries(kills))}`);
    } catch (error) {
      throw new Error(`After ${done.slice(-3).join('; ')}: ${(error as Error).message}\n${await told(sql)}`);
    }
  });
}

/** The latest events of agents, for debugging. */
async function told(sql: Pool): Promise<string> {
  const events =
    await sql`select seq, type, at, data from agent_events order by received desc, seq desc limit 12`;
  const wishes = await sql`select power_wanted, restart_seq, generation, seen_generation, power from servers`;
  return [...wishes, ...events.reverse()].map((row) => JSON.stringify(row)).join('\n');
}

/** The kinds of requests; the last one is as frequent as all others together. */
const asked = ['restart', 'kill', 'spam', 'say', 'say', 'say'] as const;

async function strikeSoon(ground: Cluster, after_ms: number, part: Part | null): Promise<void> {
  await setTimeout(after_ms);
  if (part) await ground.strike(part);
}

interface Run {
  plane: ControlClient;
  server_id: string;
  viewer: Viewer;
  /** Commands that were reported as delivered, and those with an unknown result. */
  delivered: string[];
  unknown: string[];
  spams: number;
  /** How often the process must have been started. */
  starts: number;
  kills: string[];
}

async function beginRun(plane: ControlClient): Promise<Run> {
  const wish = { op_id: randomUUID(), name: 'Chaos', plan: 'small', kind: 'local', terms_accepted: true };
  const { id: server_id } = await plane.request('server.create', wish);
  await plane.request('server.power', { server_id, op_id: randomUUID(), action: 'start' });
  const viewer = viewerOf(plane, server_id);
  const run = { plane, server_id, viewer, delivered: [], unknown: [], spams: 0, starts: 1, kills: [] };
  await settled(run);
  return run;
}

const show = async ({ plane, server_id }: Run): Promise<ServerView> =>
  (await plane.request('server.show', { server_id })).server;

/** Waits until the server runs as desired, and gives its state. */
const settled = (run: Run): Promise<ServerView> =>
  vi.waitFor(async () => {
    const view = await show(run);
    expect(view).toMatchObject({ state: 'running', lifecycle: 'ready' });
    expect([...run.viewer.epochs.keys()], 'the console of this start').toContain(view.epoch);
    return view;
  }, patience);

/** One operation; slow ones are awaited, so that every result can be attributed. */
async function act(run: Run, number: number, what: (typeof asked)[number], part: Part | null): Promise<void> {
  const { plane, server_id } = run;
  if (what === 'restart' || what === 'kill') return await again(run, what);
  const text = what === 'spam' ? `spam ${most_spam}` : `say op-${number}`;
  try {
    await plane.request('server.command', { server_id, text }, { once: true });
  } catch {
    run.unknown.push(text);
    return;
  }
  if (part === 'engine') {
    // handed to an engine that was killed: the result is unknown
    run.unknown.push(text);
    return;
  }
  run.delivered.push(text);
  if (what === 'spam') run.spams += 1;
  const said = what === 'spam' ? `spam ${most_spam} of ${most_spam}` : `[Server] op-${number}`;
  await vi.waitFor(() => expect(run.viewer.texts()).toContain(said), patience);
}

/** A new start by a restart, or by a kill and a start; with one id, however often the connection is lost. */
async function again(run: Run, action: 'restart' | 'kill'): Promise<void> {
  const before = (await settled(run)).epoch;
  const wish = { server_id: run.server_id, op_id: randomUUID(), action };
  await persist(() => run.plane.request('server.power', wish));
  run.starts += 1;
  if (action === 'kill') {
    run.kills.push(wish.op_id);
    await vi.waitFor(async () => expect((await show(run)).state).toBe('stopped'), patience);
    const start = { server_id: run.server_id, op_id: randomUUID(), action: 'start' as const };
    await persist(() => run.plane.request('server.power', start));
  }
  await vi.waitFor(async () => {
    const view = await show(run);
    expect(view.epoch, `a new start after ${action}: ${JSON.stringify(view)}`).not.toBe(before);
  }, patience);
}

const persist = (work: () => Promise<unknown>) => vi.waitFor(work, patience);

async function check(run: Run, { docker }: Cluster, sql: Pool): Promise<void> {
  const { server_id, viewer } = run;
  const texts = viewer.texts();
  const said = (text: string) => texts.filter((line) => line === text.replace('say ', '[Server] ')).length;
  for (const text of run.delivered.filter((one) => one.startsWith('say'))) expect(said(text), text).toBe(1);
  for (const text of run.unknown.filter((one) => one.startsWith('say')))
    expect(said(text), text).toBeLessThanOrEqual(1);
  const spams = texts.filter((line) => line === `spam ${most_spam} of ${most_spam}`).length;
  expect(spams, 'no command was typed twice').toBeGreaterThanOrEqual(run.spams);
  expect(spams).toBeLessThanOrEqual(run.spams + run.unknown.filter((one) => one.startsWith('spam')).length);
  expect(viewer.missing(), 'lines of the console').toEqual([]);
  expect([...viewer.epochs.keys()], 'starts of the process').toHaveLength(run.starts);
  const told = await sql<{ power: string; epoch: string | null }[]>`
    select data->>'power' as power, data->>'epoch' as epoch from agent_events
    where server_id = ${server_id} and type = 'server.power'`;
  expect(told.filter(({ power }) => power === 'crashed')).toEqual([]);
  const running = told.filter(({ power }) => power === 'running').map(({ epoch }) => epoch);
  // a reconnected agent may repeat its reports; it never reports a start that did not happen
  expect([...new Set(running)].sort(), 'starts that were told').toEqual([...viewer.epochs.keys()].sort());
  const ended = await sql<{ id: string; state: string }[]>`
    select id, state from server_operations where server_id = ${server_id} and kind = 'kill'`;
  expect(ended.map(({ id }) => id).sort()).toEqual([...run.kills].sort());
  for (const { id, state } of ended)
    expect(['done', 'failed', 'interrupted', 'expired'], id).toContain(state);
  const containers = await docker.listContainers({ all: true });
  expect(containers).toMatchObject([{ State: 'running' }]);
}
