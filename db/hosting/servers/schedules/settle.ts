import type { Refused } from '../../../platform/errors.ts';
import type { Pool, Transaction } from '../../../platform/postgres/sql.ts';
import { updateTask } from '../tasks/write.ts';
import { asksForPlayers } from './conditions.ts';
import { openRuns, type Run } from './rows.ts';
import { endOfRefusal } from './step-ends.ts';
import { type AgentStep, advanceRun, endStep, type Surroundings } from './steps.ts';

/** An agent is asked again after this time. */
const again_ms = 10_000;

/** Whether the number of players decides about a run that is in progress on a server. */
export const needsPlayers = async (sql: Pool, server_id: string): Promise<boolean> =>
  (await openRuns(sql, server_id)).some(asksForPlayers);

/** How the runs of a server go on: what an agent has to do, which is for the caller alone, and when to look again. */
export interface SettledRuns {
  agent_steps: AgentStep[];
  wake: Date | null;
}

/** Goes on with the runs of a server. The row of the server is locked, and each step is made once. */
export async function settleRuns(
  tx: Transaction,
  server_id: string,
  surroundings: Surroundings,
  now: Date,
): Promise<SettledRuns> {
  const agent_steps: AgentStep[] = [];
  for (const run of await openRuns(tx, server_id))
    agent_steps.push(...(await advanceRun(tx, run, surroundings, now)));
  const [next] = await tx<{ wake: string | null }[]>`
    select min(step_until) as wake from server_tasks where server_id = ${server_id} and kind = 'run' and ended is null`;
  return { agent_steps, wake: next?.wake ? new Date(next.wake) : null };
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
    const results = run?.data.results ?? [];
    const result = results[at];
    if (!run || result?.state !== 'running') return;
    // what is in the way may be a moment's matter
    const again = new Date(+now + again_ms);
    const ended = typeof end === 'object' ? endOfRefusal(end) : null;
    if (end === 'done' || end === 'unchanged')
      endStep(run, at, { done: end === 'done' ? null : { code: 'content_unchanged' } }, now);
    else if (ended && typeof ended === 'object') endStep(run, at, ended, now);
    else Object.assign(result, { claimed_until: null, again: ended && again.toISOString() });
    await updateTask<Run>(tx, run, { step_until: ended === 'later' ? again : now, data: { results } });
  });
}
