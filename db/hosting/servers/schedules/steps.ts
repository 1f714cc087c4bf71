import { absentActor } from '../../../platform/people/read.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Transaction } from '../../../platform/postgres/sql.ts';
import type { BackupSettings } from '../backups/begin.ts';
import { type ServerRecord, serversById } from '../read.ts';
import { whyNotHave } from '../rules.ts';
import { updateTask } from '../tasks/write.ts';
import { recordTrouble, storeUnmade } from './begin.ts';
import { whyNotBegin } from './conditions.ts';
import type { OpenRun, Run, StepResult } from './rows.ts';
import { rightsFor, type ScheduleStep, stepTimeouts } from './rules.ts';
import { type StepEnd, stepEnd } from './step-ends.ts';
import type { Reason } from './view.ts';

/** What only an agent can do for a step; whoever gets it does it and tells `endAgentStep`. */
export interface AgentStep {
  server_id: string;
  run_id: string;
  /** Which step of the run. */
  at: number;
  step: Extract<ScheduleStep, { kind: 'command' | 'update' }>;
  op_id: string;
  actor: Actor;
}

/** What a run goes by beside the database. */
export interface Surroundings {
  settings: BackupSettings;
  /** How many people play; null when nothing tells. */
  players: number | null;
}

/**
 * Takes a run as far as it can go now, and gives what an agent has to do for it. Each step is stored before it begins, so any
 * control plane goes on after a crash. The caller has locked the row of the server.
 */
export async function advanceRun(
  tx: Transaction,
  run: OpenRun,
  surroundings: Surroundings,
  now: Date,
): Promise<AgentStep[]> {
  const [server = null] = await serversById(tx, [run.server_id], now);
  const actor = run.schedule.actor_id === null ? null : await absentActor(tx, run.schedule.actor_id, now);
  const { results, steps } = run.data;
  if (results.every(({ began }) => began === null)) {
    const why = whyNotBegin(run, { server, actor, players: surroundings.players }, now);
    if (why?.outcome === 'later') return await sleep(tx, run, soon(now));
    if (why) return await notBegun(tx, run, why.outcome, why.reason, now);
  }
  for (;;) {
    const at = results.findIndex(({ state }) => state === 'waiting' || state === 'running');
    if (at < 0) return await endRun(tx, run, now);
    const result = results[at]!;
    const step = steps[at]!;
    if (result.state === 'waiting') Object.assign(result, { state: 'running', began: now.toISOString() });
    const end =
      rightsLost(step, actor, server) ??
      (await stepEnd(tx, { run, step, result, server: server! }, actor!, surroundings, now));
    if (end === 'agent') {
      await sleep(tx, run, new Date(result.claimed_until!));
      const { server_id, id: run_id } = run;
      return [{ server_id, run_id, at, step: step as AgentStep['step'], op_id: result.op_id, actor: actor! }];
    }
    const late = +now - Date.parse(result.began!) > stepTimeouts[step.kind];
    if (end === 'later' && !late) return await sleep(tx, run, wakeOf(step, result, now));
    endStep(run, at, end === 'later' ? { failed: { code: 'schedule_step_too_long' } } : end, now);
  }
}

/** Why the person whose rights a run has lost what this step needs, or null. */
function rightsLost(step: ScheduleStep, actor: Actor | null, server: ServerRecord | null): StepEnd | null {
  if (!server) return { failed: { code: 'server_not_found' } };
  if (!actor) return { failed: { code: 'schedule_author_gone' } };
  const lost = rightsFor([step]).find((right) => whyNotHave[right](actor, server.facts));
  return lost ? { failed: { code: 'schedule_right_missing', data: { right: lost } } } : null;
}

/** Ends a step; after a failure the others follow or are left out, as the schedule says. */
export function endStep(run: OpenRun, at: number, end: Exclude<StepEnd, 'later' | 'agent'>, now: Date): void {
  const failed = 'failed' in end;
  const reason = failed ? end.failed : end.done;
  const ended = now.toISOString();
  Object.assign(run.data.results[at]!, {
    state: failed ? 'failed' : 'done',
    reason,
    ended,
    claimed_until: null,
  });
  if (!failed || run.schedule.on_failure === 'continue') return;
  for (const result of run.data.results.slice(at + 1)) result.state = 'skipped';
}

const soon = (now: Date): Date => new Date(+now + 10_000);

/** When to look again: at the end of a wait, and soon while something is in the way that nothing may tell of. */
const wakeOf = (step: ScheduleStep, { until, claimed_until, again }: StepResult, now: Date): Date => {
  const known = step.kind === 'wait' ? until : (claimed_until ?? again);
  return known ? new Date(known) : soon(now);
};

async function sleep(tx: Transaction, run: OpenRun, step_until: Date): Promise<[]> {
  const { results } = run.data;
  await updateTask<Run>(tx, run, { step_until, data: { results } });
  return [];
}

async function endRun(tx: Transaction, run: OpenRun, now: Date): Promise<[]> {
  const { results } = run.data;
  const failed = results.find(({ state }) => state === 'failed');
  const step = failed ? 'failed' : 'done';
  await updateTask<Run>(tx, run, {
    ...{ step, ended: now, step_until: null, error: failed?.reason ?? null, data: { results } },
  });
  if (run.schedule.broken) await tx`update server_schedules set broken = null where id = ${run.schedule_id}`;
  if (failed) await recordTrouble(tx, 'server.schedule_failed', named(run), failed.reason!.code);
  return [];
}

const named = ({ schedule_id, server_id, schedule }: OpenRun) => ({
  ...{ id: schedule_id, server_id },
  ...{ name: schedule.name, actor_id: schedule.actor_id },
});

/** Ends a run that could not begin. Somebody who waits for one by hand finds it failed. */
async function notBegun(
  tx: Transaction,
  run: OpenRun,
  outcome: 'skipped' | 'missed' | 'failed',
  reason: Reason,
  now: Date,
): Promise<[]> {
  const { id, schedule_id, server_id, schedule, data } = run;
  const { trigger } = data;
  if (trigger === 'hand')
    await updateTask<Run>(tx, run, { step: 'failed', error: reason, ended: now, step_until: null });
  else {
    await tx`delete from server_tasks where id = ${id}`;
    const due = new Date(data.due);
    const unmade = { outcome, reason, due, last_due: due, count: 1 };
    await storeUnmade(tx, { id: schedule_id, server_id }, unmade, now);
  }
  // of what stays broken alerts hear once
  const isNews = outcome === 'missed' || (outcome === 'failed' && schedule.broken?.code !== reason.code);
  if (outcome === 'failed')
    await tx`update server_schedules set broken = ${tx.json(reason as never)} where id = ${schedule_id}`;
  if (isNews && trigger === 'time')
    await recordTrouble(
      tx,
      `server.schedule_${outcome === 'missed' ? 'missed' : 'failed'}`,
      named(run),
      reason.code,
    );
  return [];
}
