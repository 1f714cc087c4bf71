import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { type Random, random } from '#db/demo/art/random.ts';
import { cancelMove, requestMove } from '#db/hosting/servers/moves/request.ts';
import type { MoveStep } from '#db/hosting/servers/moves/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { type ControlClient, withControlPlane } from '../../cairn/control-client.ts';
import type { Cluster, Part } from './cluster.ts';
import { expectNoRemains, expectPlaces, filesOf } from './move-checks.ts';
import type { MoveRun } from './move-run.ts';
import type { Placed } from './placed.ts';
import { sumOfWorld, writeWorld } from './world-files.ts';

/** For everything that must recover after a kill: only a failure waits this long. */
const patience = { timeout: 180_000, interval: 100 };
const server_count = 3;
/** Of each of the four large files of a world. */
const file_bytes = 6 * 1024 * 1024;
/** Steps in which a part dies; it dies so long after the step was stored. */
const struck_steps: readonly MoveStep[] = [
  'stopping',
  'saving',
  'saving',
  'installing',
  'restoring',
  'restoring',
  'done',
];
const strike_ms = [0, 500] as const;
/** When a part dies again, while all is being brought in order. */
const again_ms = [200, 2_500] as const;

/**
 * Moves game servers between two nodes, one or two at a time, while agents, control plane and engine are killed at random
 * moments; some are cancelled. Expects after each that every server is on exactly one node with every byte, that nothing is left
 * of it on the other, that it runs as before, and that the nodes have the room for what is on them and no less. The same seed
 * kills the same parts. Source: hosting §5.5, §6.
 */
export async function moveChaos(ground: Cluster, sql: Pool, rounds: number, seed: string): Promise<void> {
  console.log(`chaos of moves: seed ${seed}`);
  const dice = random(seed);
  await withControlPlane({ url: ground.url, token: ground.token }, async (plane) => {
    const run = await beginRun(plane, ground, sql);
    const [counted, story] = [new Map<string, number>(), [] as string[]];
    const count = (what: string) => counted.set(what, (counted.get(what) ?? 0) + 1);
    try {
      for (let number = 1; number <= rounds; number++) {
        const left_out = dice.pick(run.servers);
        const several = run.servers.filter((server) => server !== left_out);
        const moved = dice.next() < 0.3 ? several : several.slice(0, 1);
        for (const server of moved) await prepare(run, server, dice, number);
        const strikes = strikesOf(dice, ground);
        story.push(
          `${number}. ${moved.map(({ id }) => id)}; ${strikes.map((one) => `${one.part} at ${one.step} +${one.after_ms} ms`)}`,
        );
        for (const { part } of strikes) count(`kills of ${part}`);
        const moves = [];
        for (const server of moved) moves.push(await begin(run, server));
        if (dice.next() < 0.1) void cancelLater(run, moved[0]!, dice.int(0, 1_500));
        await strikeAll(run, moves[0]!, strikes);
        for (const [index, id] of moves.entries()) {
          const outcome = await outcomeOf(run, moved[index]!, id);
          story.push(`   ${outcome}`);
          count(outcome);
        }
        await vi.waitFor(() => expectPlaces(run), patience);
      }
      for (const { part } of ground.nodes) await ground.kill(part);
      await expectNoRemains(run);
      console.log(
        `chaos of moves: ${rounds} rounds\n${JSON.stringify(Object.fromEntries([...counted].sort()), null, 2)}`,
      );
    } catch (error) {
      throw new Error(
        `Seed ${seed}. ${(error as Error).message}\n${story.slice(-10).join('\n')}\n${await told(sql)}`,
        { cause: error },
      );
    }
  });
}

/** The latest moves and events, for debugging. */
async function told(sql: Pool): Promise<string> {
  const rows = [
    ...(await sql`select id, node_id, lifecycle, lifecycle_data, power_wanted, power, generation, seen_generation, seen from servers`),
    ...(await sql`select * from server_copies`),
    ...(await sql`select server_id, step, from_node, to_node, error, began, ended from server_tasks where kind = 'move' order by began desc limit 4`),
    ...(await sql`select id, server_id, state, error from server_backups order by created desc limit 4`),
    ...(await sql`select id, server_id, kind, state, result, created, ended from server_operations order by created desc limit 6`),
    ...(await sql`select node_id, server_id, seq, type, at, data from agent_events order by received desc, seq desc limit 12`),
  ];
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

interface Strike {
  part: Part;
  /** Counted from when the move is in this step. */
  step: MoveStep;
  after_ms: number;
}

/** Mostly one part dies during a move; of these, sometimes another one while all is being brought in order. */
function strikesOf(dice: Random, { parts }: Cluster): Strike[] {
  if (dice.next() < 0.1) return [];
  const first = { part: dice.pick(parts), step: dice.pick(struck_steps), after_ms: dice.int(...strike_ms) };
  if (dice.next() > 0.35) return [first];
  return [first, { ...first, part: dice.pick(parts), after_ms: dice.int(...again_ms) }];
}

async function strikeAll(
  { ground, sql }: MoveRun,
  move_id: string,
  strikes: readonly Strike[],
): Promise<void> {
  for (const { part, step, after_ms } of strikes) {
    await hasReached(sql, move_id, step);
    await setTimeout(after_ms);
    await ground.strike(part);
  }
}

const order: readonly MoveStep[] = [
  'queued',
  'stopping',
  'saving',
  'placing',
  'installing',
  'restoring',
  'done',
];
/** Waits until a move is in a step or past it, at most a minute: it may wait for another one. */
async function hasReached(sql: Pool, id: string, step: MoveStep): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const [move] = await sql<{ step: MoveStep; ended: string | null }[]>`
      select step, ended from server_tasks where id = ${id}`;
    if (!move || move.ended || order.indexOf(move.step) >= order.indexOf(step)) return;
    await setTimeout(20);
  }
}

async function beginRun(plane: ControlClient, ground: Cluster, sql: Pool): Promise<MoveRun> {
  const run: MoveRun = { plane, ground, sql, servers: [] };
  for (let number = 1; number <= server_count; number++) {
    const wish = {
      op_id: randomUUID(),
      name: `Chaos ${number}`,
      plan: 'small',
      kind: 'local',
      terms_accepted: true,
    };
    const { id } = await plane.request('server.create', wish);
    const node_id = await vi.waitFor(async () => {
      const [row] = await sql<{ node_id: string }[]>`
        select node_id from servers where id = ${id} and lifecycle = 'ready'`;
      expect(row).toBeDefined();
      return row!.node_id;
    }, patience);
    const server = { id, node_id, on: false, sum: '' };
    run.servers.push(server);
    writeWorld(filesOf(ground, server), number, file_bytes);
    server.sum = sumOfWorld(filesOf(ground, server));
  }
  await vi.waitFor(() => expectPlaces(run), patience);
  return run;
}

/** Sometimes it has another world, and it is on or off. */
async function prepare(
  { plane, ground, ...run }: MoveRun,
  server: Placed,
  dice: Random,
  number: number,
): Promise<void> {
  const files = filesOf(ground, server);
  if (dice.next() < 0.4) {
    writeWorld(files, 100 + number, file_bytes);
    server.sum = sumOfWorld(files);
  }
  const on = dice.next() < 0.6;
  if (on === server.on) return;
  server.on = on;
  const wish = { server_id: server.id, op_id: randomUUID(), action: on ? 'start' : 'stop' } as const;
  await vi.waitFor(() => plane.request('server.power', wish), patience);
  await vi.waitFor(() => expectPlaces({ plane, ground, ...run }), patience);
}

/** Begins a move; a second one of the same server is refused. */
async function begin({ sql }: MoveRun, { id: server_id }: Placed): Promise<string> {
  const ask = async (id: string) => {
    const wanted = { id, server_id, to_node: null, drop_backups: false };
    const by = { actor_id: null, reason: 'staff' } as const;
    await sql.begin((tx) => requestMove(tx, wanted, by, new Date()));
  };
  const [first, second] = [randomUUID(), randomUUID()];
  const asked = await Promise.allSettled([ask(first), ask(second)]);
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code as string] : []));
  expect(refused).toEqual(['server_moving']);
  return asked[0].status === 'fulfilled' ? first : second;
}

async function cancelLater({ sql }: MoveRun, { id }: Placed, after_ms: number): Promise<void> {
  await setTimeout(after_ms);
  await sql
    .begin((tx) => cancelMove(tx, id, new Date()))
    .catch((error) => {
      if (!(error instanceof Refused)) throw error;
    });
}

/** Waits for the end of a move; from then on the server is expected where that says. */
async function outcomeOf({ sql }: MoveRun, server: Placed, id: string): Promise<string> {
  return await vi.waitFor(async () => {
    const [move] = await sql<
      { step: MoveStep; to_node: string; error: { code: string } | null; ended: string | null }[]
    >`
      select step, to_node, error, ended from server_tasks where id = ${id}`;
    expect(move?.ended, `the end of a move that is ${move?.step}`).not.toBeNull();
    if (move!.step === 'done') server.node_id = move!.to_node;
    return move!.error ? `${move!.step}: ${move!.error.code}` : move!.step;
  }, patience);
}
