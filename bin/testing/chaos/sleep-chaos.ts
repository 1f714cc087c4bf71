import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { labels } from '#agents/docker/client.ts';
import { ping } from '#agents/server/status-ping.ts';
import { motdAt, tryLogin } from '#agents/testing/game-client.ts';
import { type Random, random } from '#db/demo/art/random.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { type ControlClient, withControlPlane } from '../../cairn/control-client.ts';
import { allowShortSleep, letSleep, short_motd } from '../short-sleep.ts';
import type { Cluster, Part } from './cluster.ts';

/** For everything that must recover after a kill: only a failure waits this long. */
const patience = { timeout: 120_000, interval: 100 };
const host = '127.0.0.1';
const server_count = 4;
/** When a part dies after the joins began, and when another one dies while all is being brought in order. */
const strike_ms = [0, 1_200] as const;
const again_ms = [100, 2_000] as const;
/** Players who join one server at the same moment. */
const most_players = 4;

interface Sleeper {
  id: string;
  port: number;
  /** How often its process must have been started. */
  starts: number;
}
interface Run {
  plane: ControlClient;
  ground: Cluster;
  sql: Pool;
  servers: Sleeper[];
}

/**
 * Lets game servers sleep and wakes some of them, by players who join and by their owner, while agent and control plane are
 * killed at random moments. Expects that each join is let in by one start, that a server nobody joined goes on sleeping and
 * answers pings, that one that is off does not, and that no server ever has two processes. The same seed kills the same parts.
 * Source: hosting §5.5, §6.
 */
export async function sleepChaos(ground: Cluster, sql: Pool, rounds: number, seed: string): Promise<void> {
  console.log(`chaos of sleep: seed ${seed}`);
  const dice = random(seed);
  const watch = watchContainers(ground);
  await withControlPlane({ url: ground.url, token: ground.token }, async (plane) => {
    const [counted, story] = [new Map<string, number>(), [] as string[]];
    const count = (what: string) => counted.set(what, (counted.get(what) ?? 0) + 1);
    try {
      const run = await beginRun(plane, ground, sql);
      for (let number = 1; number <= rounds; number++) {
        await allAsleep(run);
        const left_alone = dice.pick(run.servers);
        const joined = run.servers.filter((server) => server !== left_alone && dice.next() < 0.6);
        const is_stopped = dice.next() < 0.2;
        const strikes = strikesOf(dice, ground);
        story.push(
          `${number}. ${joined.map(({ id }) => id)}${is_stopped ? `, ${left_alone.id} is stopped` : ''}; ${strikes.map(({ part, after_ms }) => `${part} +${after_ms} ms`)}`,
        );
        for (const { part } of strikes) count(`kills of ${part}`);
        const all = joined.flatMap((server) => {
          server.starts += 1;
          count('wakes');
          return Array.from({ length: dice.int(1, most_players) }, () => join(server, count));
        });
        if (is_stopped) all.push(stopAndStart(run, left_alone));
        if (is_stopped) count('stops and starts by the owner');
        all.push(strikeAll(ground, strikes));
        await Promise.all(all);
        await expectStates(run, is_stopped ? [...joined, left_alone] : joined);
        await expectStarts(run);
      }
      await allAsleep(run);
      await expectStarts(run);
      expect(watch.twice(), 'servers with two processes').toEqual([]);
      console.log(
        `chaos of sleep: ${rounds} rounds, ${watch.looks()} looks at the containers\n${JSON.stringify(Object.fromEntries([...counted].sort()), null, 2)}`,
      );
    } catch (error) {
      throw new Error(
        `Seed ${seed}. ${(error as Error).message}\n${story.slice(-5).join('\n')}\n${await told(sql)}`,
        { cause: error },
      );
    } finally {
      await watch.end();
    }
  });
}

/** The latest events, for debugging. */
async function told(sql: Pool): Promise<string> {
  const rows = [
    ...(await sql`select id, port, lifecycle, power_wanted, power, generation, seen_generation, seen from servers`),
    ...(await sql`select server_id, seq, type, at, data from agent_events order by received desc, seq desc limit 16`),
  ];
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

interface Strike {
  part: Part;
  after_ms: number;
}

/** Mostly one part dies while players join; of these, sometimes another one a little later. */
function strikesOf(dice: Random, { parts }: Cluster): Strike[] {
  if (dice.next() < 0.15) return [];
  const part = () => (dice.next() < 0.6 ? 'agent' : dice.pick(parts));
  const first = { part: part(), after_ms: dice.int(...strike_ms) };
  return dice.next() > 0.35 ? [first] : [first, { part: part(), after_ms: dice.int(...again_ms) }];
}

async function strikeAll(ground: Cluster, strikes: readonly Strike[]): Promise<void> {
  for (const { part, after_ms } of strikes) {
    await setTimeout(after_ms);
    await ground.strike(part);
  }
}

async function beginRun(plane: ControlClient, ground: Cluster, sql: Pool): Promise<Run> {
  await allowShortSleep(sql);
  const servers: Sleeper[] = [];
  for (let number = 1; number <= server_count; number++) {
    const named = { name: `Chaos ${number}`, plan: 'small', kind: 'local', terms_accepted: true };
    const { id } = await plane.request('server.create', { op_id: randomUUID(), ...named });
    await letSleep(sql, id);
    await plane.request('server.power', { server_id: id, op_id: randomUUID(), action: 'start' });
    const port = await vi.waitFor(async () => {
      const [row] = await sql<
        { port: number }[]
      >`select port from servers where id = ${id} and power = 'running'`;
      expect(row).toBeDefined();
      return row!.port;
    }, patience);
    servers.push({ id, port, starts: 1 });
  }
  return { plane, ground, sql, servers };
}

/** Joins until the game answers, as a player would. */
async function join({ port }: Sleeper, count: (what: string) => void): Promise<void> {
  await vi.waitFor(
    async () => {
      const answer = await tryLogin({ host, port });
      count(`joins that were ${answer}`);
      expect(answer).toBe('let in');
    },
    { ...patience, interval: 200 },
  );
}

/** Its owner ends its sleep: nobody listens in its place any more. Then it is started as any other, and soon sleeps again. */
async function stopAndStart({ plane, sql }: Run, server: Sleeper): Promise<void> {
  const power = async (action: 'start' | 'stop') => {
    const wish = { server_id: server.id, op_id: randomUUID(), action };
    await vi.waitFor(() => plane.request('server.power', wish), patience);
  };
  await power('stop');
  await vi.waitFor(async () => {
    const [row] =
      await sql`select power, coalesce(seen->>'sleeping', 'false') as sleeping from servers where id = ${server.id}`;
    expect(row).toEqual({ power: 'stopped', sleeping: 'false' });
    expect(await ping(host, server.port)).toBeNull();
  }, patience);
  server.starts += 1;
  await power('start');
}

/** Each sleeps, as is stored and as pings see it. */
async function allAsleep(run: Run): Promise<void> {
  await vi.waitFor(async () => {
    const rows = await run.sql`select power, seen->>'sleeping' as sleeping from servers`;
    expect(rows).toEqual(run.servers.map(() => ({ power: 'stopped', sleeping: 'true' })));
    for (const { port } of run.servers) expect(await motdAt({ host, port })).toContain(short_motd);
  }, patience);
  const alive = await aliveOf(run.ground);
  expect(alive, 'processes of sleeping servers').toEqual([]);
}

/** Those that were started run, or sleep again; all others slept all the time. */
async function expectStates(run: Run, started: readonly Sleeper[]): Promise<void> {
  for (const server of run.servers) {
    if (started.includes(server))
      await vi.waitFor(async () => expect(await ping(host, server.port)).not.toBeNull(), patience);
    else
      await vi.waitFor(
        async () => expect(await motdAt({ host, port: server.port })).toContain(short_motd),
        patience,
      );
  }
}

/** Each join, and each start of an owner, started one process: no more are reported. */
async function expectStarts({ sql, servers }: Run): Promise<void> {
  await vi.waitFor(async () => {
    const epochs = await sql<{ server_id: string; starts: number }[]>`
      select server_id, count(distinct data->>'epoch')::int as starts from agent_events
      where type = 'server.power' and data->>'power' = 'running' group by server_id`;
    const told = Object.fromEntries(epochs.map(({ server_id, starts }) => [server_id, starts]));
    expect(told, 'starts').toEqual(Object.fromEntries(servers.map(({ id, starts }) => [id, starts])));
  }, patience);
}

/** Servers of the nodes, one entry for each process that runs. */
async function aliveOf({ docker, nodes }: Cluster): Promise<string[]> {
  const filters = { label: nodes.map(({ id }) => `${labels.node}=${id}`) };
  return (await docker.listContainers({ filters })).map(({ Labels }) => Labels[labels.server]!);
}

/** Looks all the time whether a server has two processes. */
function watchContainers(ground: Cluster) {
  const twice = new Set<string>();
  let [looks, ended] = [0, false];
  const watching = (async () => {
    while (!ended) {
      const alive = await aliveOf(ground).catch((): string[] => []);
      for (const [index, id] of alive.entries()) if (alive.indexOf(id) !== index) twice.add(id);
      looks += 1;
      await setTimeout(100);
    }
  })();
  return {
    twice: () => [...twice],
    looks: () => looks,
    async end() {
      ended = true;
      await watching;
    },
  };
}
