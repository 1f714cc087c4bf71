import type { Refused } from '../../../platform/errors.ts';
import type { Pool } from '../../../platform/postgres/sql.ts';
import { asksForPlayers } from './conditions.ts';
import { openRuns } from './rows.ts';
import { endOfRefusal } from './step-ends.ts';
import { type AgentStep, advanceRun, endStep, type Surroundings } from './steps.ts';

/** An agent is asked again after this time. */
const again_ms = 10_000;

/** How the runs of a server go on: what an agent has to do, and when to look again. */
interface Settled {
  agent_steps: AgentStep[];
  wake: Date | null;
}

/** Whether runs of a server are in progress, and whether the number of its players decides about one. */
export async function runsOf(sql: Pool, server_id: string): Promise<{ open: boolean; players: boolean }> {
  const runs = await openRuns(sql, server_id);
  return { open: runs.length > 0, players: runs.some(asksForPlayers) };
}

/**
 * Goes on with the runs of a server after anything that they wait for. Every control plane calls it for every change: the row
 * of the server is locked, and each step is made once. What it gives for an agent is for the caller alone.
 */
export async function settleSchedules(
  sql: Pool,
  server_id: string,
  surroundings: Surroundings,
  now: Date,
): Promise<Settled> {
  return await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const agent_steps: AgentStep[] = [];
    for (const run of await openRuns(tx, server_id))
      agent_steps.push(...(await advanceRun(tx, run, surroundings, now)));
    const [next] = await tx<{ wake: string | null }[]>`
      select min(wake) as wake from server_schedule_runs where server_id = ${server_id} and ended is null`;
    return { agent_steps, wake: next?.wake ? new Date(next.wake) : null };
  });
}

/**
 * Stores how what an agent was asked for a step ended: `requested` was begun and is followed in the database. Does nothing
 * when the step is over. The trigger of the table tells every plane to go on.
 */
export async function endAgentStep(
  sql: Pool,
  { server_id, run_id, at }: Pick<AgentStep, 'server_id' | 'run_id' | 'at'>,
  end: 'requested' | 'done' | 'unchanged' | Refused,
  now: Date,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const [run] = await openRuns(tx, server_id, run_id);
    const result = run?.results[at];
    if (!run || result?.state !== 'running') return;
    // what is in the way may be a moment's matter
    const again = new Date(+now + again_ms);
    const ended = typeof end === 'object' ? endOfRefusal(end) : null;
    if (end === 'done' || end === 'unchanged')
      endStep(run, at, { done: end === 'done' ? null : { code: 'content_unchanged' } }, now);
    else if (ended && typeof ended === 'object') endStep(run, at, ended, now);
    else Object.assign(result, { claimed_until: null, again: ended && again.toISOString() });
    await tx`
      update server_schedule_runs set results = ${tx.json(run.results as never)}, wake = ${ended === 'later' ? again : now} where id = ${run_id}`;
  });
}
