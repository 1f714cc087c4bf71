import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { type Random, random } from '#db/demo/art/random.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { type ControlClient, withControlPlane } from '../../cairn/control-client.ts';
import { checkOperations, checkStoredBackups, expectNoLeftovers } from './backup-checks.ts';
import type { BackupRun } from './backup-run.ts';
import type { Cluster, Part } from './cluster.ts';
import { type Viewer, viewerOf } from './console-follower.ts';
import { sumOfWorld, writeWorld } from './world-files.ts';

/** For everything that must recover after a kill: only a failure waits this long. */
const patience = { timeout: 120_000, interval: 100 };
/** Manual backups that are kept before one is deleted. */
const most_kept = 5;
/** When the first part dies: most operations take about a second. */
const strike_ms = [0, 900] as const;
/** Of a restart, seconds pass until an interrupted operation is brought in order: the second strike should meet that. */
const recovery_ms = [200, 2_500] as const;

type Action = 'create' | 'restore' | 'verify' | 'delete';

/**
 * Makes, restores, verifies and deletes backups of a game server, one after the other, while agent, control plane and engine
 * are killed at random moments. Expects that each operation ran at most once and has an end, that what counts as a backup is
 * one, that files are those of before or those of the backup, and that nothing is left. The same seed kills the same parts.
 * Source: hosting §5.6, §6.
 */
export async function backupChaos(
  ground: Cluster,
  sql: Pool,
  operations: number,
  seed: string,
): Promise<void> {
  console.log(`backup chaos: seed ${seed}`);
  await withControlPlane({ url: ground.url, token: ground.token }, async (plane) => {
    const run = await beginRun(plane, ground, sql);
    const [counted, story] = [new Map<string, number>(), [] as string[]];
    const count = (what: string) => counted.set(what, (counted.get(what) ?? 0) + 1);
    try {
      for (let number = 1; number <= operations; number++) {
        // what is drawn in one round depends on how it goes, and must not change the next one
        const dice = random(`${seed}, ${number}`);
        const action = await nextAction(run, dice);
        if (dice.next() < 0.5) writeWorld(run.folder, number);
        const strikes = strikesOf(dice, ground);
        story.push(`${number}. ${action}; ${strikes.map(({ after_ms, part }) => `${part} +${after_ms} ms`)}`);
        for (const { part } of strikes) count(`kills of ${part}`);
        const before = sumOfWorld(run.folder);
        const struck = strikeAll(run, strikes);
        const op_id = await act(run, action, dice);
        await struck;
        const outcome = await expectOutcome(run, { action, op_id, before });
        story.push(`   ${outcome}`);
        count(`${action}: ${outcome}`);
      }
      await checkStoredBackups(run);
      await checkOperations(run);
      await ground.kill('agent');
      await expectNoLeftovers(run);
      console.log(
        `backup chaos: ${operations} operations\n${JSON.stringify(Object.fromEntries(counted), null, 2)}`,
      );
    } catch (error) {
      throw new Error(
        `Seed ${seed}. ${(error as Error).message}\n${story.slice(-8).join('\n')}\n${await told(sql)}`,
        {
          cause: error,
        },
      );
    }
  });
}

/** The latest operations and events, for debugging. */
async function told(sql: Pool): Promise<string> {
  const rows = [
    ...(await sql`select power_wanted, power, generation, seen_generation from servers`),
    ...(await sql`select id, state, rest, error, op_id, cancelling from server_backups order by created desc limit 6`),
    ...(await sql`select * from server_tasks where kind = 'restore' order by began desc limit 3`),
    ...(await sql`select id, kind, state, result, created, ended from server_operations order by created desc limit 6`),
    ...(await sql`select seq, type, at, data from agent_events order by received desc, seq desc limit 10`),
  ];
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

interface Strike {
  part: Part;
  after_ms: number;
  /** Counted from when the agent has begun, instead of from the request. */
  begun: boolean;
}

/** Mostly one part dies during an operation; of these, sometimes the agent again while all is being brought in order. */
function strikesOf(dice: Random, { parts }: Cluster): Strike[] {
  if (dice.next() < 0.15) return [];
  const part = dice.next() < 0.4 ? 'agent' : dice.pick(parts);
  const first = { part, after_ms: dice.int(...strike_ms), begun: dice.next() < 0.6 };
  if (dice.next() > 0.3) return [first];
  return [first, { part: 'agent', after_ms: dice.int(...recovery_ms), begun: false }];
}

async function strikeAll({ ground, sql }: BackupRun, strikes: readonly Strike[]): Promise<void> {
  const asked_at = new Date();
  for (const { part, after_ms, begun } of strikes) {
    if (begun) await acceptedSince(sql, asked_at);
    await setTimeout(after_ms);
    await ground.strike(part);
  }
}

/** Waits until an agent has accepted an operation of its kind; not for long, because it may have ended already. */
async function acceptedSince(sql: Pool, since: Date): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const [found] = await sql`
      select 1 from server_operations where created >= ${since} and state <> 'waiting' and kind <> 'backup_cancel'`;
    if (found) return;
    await setTimeout(10);
  }
}

async function beginRun(plane: ControlClient, ground: Cluster, sql: Pool): Promise<BackupRun> {
  const wish = { op_id: randomUUID(), name: 'Chaos', plan: 'small', kind: 'local', terms_accepted: true };
  const { id: server_id } = await plane.request('server.create', wish);
  await plane.request('server.power', { server_id, op_id: randomUUID(), action: 'start' });
  const folder = join(ground.agent_data, 'servers', server_id);
  const viewer = viewerOf(plane, server_id);
  const run = { plane, ground, sql, viewer, server_id, folder, sums: new Map<string, string>() };
  await settled(run);
  writeWorld(folder, 0);
  return run;
}

const usable = ({ state }: BackupView): boolean => state === 'done' || state === 'unchanged';
/** Asked again while the control plane is dead. */
const listOf = async ({ plane, server_id }: Pick<BackupRun, 'plane' | 'server_id'>): Promise<BackupView[]> =>
  (await vi.waitFor(() => plane.request('backups.list', { server_id }), patience)).backups;

/** Mostly backups and restores; nothing can be restored before there is one, and too many are deleted. */
async function nextAction(run: BackupRun, dice: Random): Promise<Action> {
  const roll = dice.next();
  const kept = (await listOf(run)).filter(usable).length;
  if (kept === 0) return 'create';
  if (kept > most_kept) return 'delete';
  return roll < 0.35 ? 'create' : roll < 0.75 ? 'restore' : roll < 0.9 ? 'verify' : 'delete';
}

/** Requests it, with one id however often the connection is lost. Gives that id; a deletion has none. */
async function act({ plane, server_id }: BackupRun, action: Action, dice: Random): Promise<string | null> {
  const op_id = randomUUID();
  if (action === 'create') {
    await persist(() => plane.request('backups.create', { server_id, op_id }));
    return op_id;
  }
  const { id: backup_id } = dice.pick((await listOf({ plane, server_id })).filter(usable));
  const named = { server_id, backup_id, op_id };
  if (action === 'verify') await persist(() => plane.request('backups.verify', named));
  else if (action === 'restore') {
    const safety = dice.next() < 0.3;
    await persist(() => plane.request('backups.restore', { ...named, safety, stop: true }));
  } else {
    await persist(() => plane.request('backups.delete', { server_id, backup_ids: [backup_id] }));
    return null;
  }
  return op_id;
}

const persist = (work: () => Promise<unknown>) => vi.waitFor(work, patience);

/** Waits until nothing is in progress and the server runs as desired. */
const settled = (run: BackupRun): Promise<void> =>
  vi.waitFor(async () => {
    const { server } = await run.plane.request('server.show', { server_id: run.server_id });
    const resting = ['done', 'unchanged', 'failed'];
    expect((await listOf(run)).filter(({ state }) => !resting.includes(state))).toEqual([]);
    const [open] = await run.sql`
      select 1 from server_operations where server_id = ${run.server_id} and ended is null
      union all select 1 from server_tasks where server_id = ${run.server_id} and kind = 'restore' and ended is null`;
    expect(open).toBeUndefined();
    expect(server).toMatchObject({ state: 'running', lifecycle: 'ready' });
    expect([...run.viewer.epochs.keys()], 'the console of this start').toContain(server.epoch);
    expect(isSavingOff(run.viewer, server.epoch!), 'saving is off').toBe(false);
  }, patience);

/** Whether the server said last that it does not save. */
function isSavingOff({ epochs }: Viewer, epoch: string): boolean {
  const lines = [...(epochs.get(epoch) ?? [])].sort(([a], [b]) => a - b).map(([, text]) => text);
  return (
    lines.findLast((text) => text.startsWith('Automatic saving is now')) ===
    'Automatic saving is now disabled'
  );
}

/** Waits for its end, and expects that the files are what it says. Gives what came of it. */
async function expectOutcome(
  run: BackupRun,
  { action, op_id, before }: { action: Action; op_id: string | null; before: string },
): Promise<string> {
  await settled(run);
  const after = sumOfWorld(run.folder);
  for (const { id } of (await listOf(run)).filter(usable)) if (!run.sums.has(id)) run.sums.set(id, before);
  const [operation] = await run.sql<{ state: string; result: object; backup_id: string }[]>`
    select state, result, args->>'backup_id' as backup_id from server_operations where id = ${op_id ?? randomUUID()}`;
  const state = operation?.state ?? 'not begun';
  if (action !== 'restore') {
    expect(after, 'the files did not change').toBe(before);
    return op_id === null ? 'done' : state;
  }
  const restored = operation ? run.sums.get(operation.backup_id) : undefined;
  if (state === 'done') expect(after, 'the files are those of the backup').toBe(restored);
  else if (state === 'interrupted') expect([before, restored], 'the files are old or new').toContain(after);
  else expect(after, `the old files are back after ${JSON.stringify(operation)}`).toBe(before);
  if (before === restored) return `${state}, same files`;
  return `${state}, ${after === before ? 'old' : 'new'} files`;
}
