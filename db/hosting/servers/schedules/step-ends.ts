import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db, Transaction } from '../../../platform/postgres/sql.ts';
import type { BackupSettings } from '../backups/begin.ts';
import { backupRow } from '../backups/read.ts';
import { backUpAsStep } from '../backups/schedule.ts';
import { changeById } from '../changes/rows.ts';
import type { ServerRecord } from '../read.ts';
import { setPower } from '../write.ts';
import type { OpenRun, StepResult } from './rows.ts';
import { isPassing, late_ms, type ScheduleStep } from './rules.ts';
import type { Reason } from './view.ts';

/** How a step stands: it goes on, needs its agent, or has ended. `done` is what it found, if that is worth telling. */
export type StepEnd = 'later' | 'agent' | { done: Reason | null } | { failed: Reason };

/** How long a control plane may take for what it asks an agent; then another one takes over. */
const claim_ms = 60_000;

interface Work {
  run: OpenRun;
  step: ScheduleStep;
  /** Changed as the step goes on; the caller stores it. */
  result: StepResult;
  server: ServerRecord;
}

/** Begins a step if it has not begun, by the functions that panels use, and tells how it stands. */
export async function stepEnd(
  tx: Transaction,
  work: Work,
  actor: Actor,
  { settings }: { settings: BackupSettings },
  now: Date,
): Promise<StepEnd> {
  switch (work.step.kind) {
    case 'wait':
      return waiting(work.step.seconds, work.result, now);
    case 'power':
      return await power(tx, work, actor, now);
    case 'backup':
      return await backup(tx, work, actor, settings, now);
    case 'command':
      return command(work.result, now);
    default:
      return await update(tx, work.result, now);
  }
}

/** A refusal as it is stored with a step. */
function reasonOf({ code, data }: Refused): Reason {
  const plain = Object.entries(data).filter(
    (pair): pair is [string, string | number] => typeof pair[1] === 'string' || typeof pair[1] === 'number',
  );
  return { code, ...(plain.length > 0 && { data: Object.fromEntries(plain) }) };
}

/** What a refusal means for a step: what passes by itself is waited for. */
export const endOfRefusal = (error: Refused): StepEnd =>
  isPassing(error.code) ? 'later' : { failed: reasonOf(error) };

/** Runs `work`; when it refuses, nothing of it stays. */
async function attempt<T>(
  tx: Transaction,
  work: (db: Db) => Promise<T>,
): Promise<{ value: T } | { end: StepEnd }> {
  try {
    return { value: (await tx.savepoint(work)) as T };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { end: endOfRefusal(error) };
  }
}

function waiting(seconds: number, result: StepResult, now: Date): StepEnd {
  result.until ??= new Date(+now + seconds * 1_000).toISOString();
  const late = +now - Date.parse(result.until);
  if (late > late_ms) return { failed: { code: 'schedule_late' } };
  return late >= 0 ? { done: null } : 'later';
}

async function power(
  tx: Transaction,
  { run, step, result, server }: Work,
  actor: Actor,
  now: Date,
): Promise<StepEnd> {
  const { action } = step as Extract<ScheduleStep, { kind: 'power' }>;
  const { epoch, ended_at, crash } = server.view;
  if (!result.before) {
    const wanted = { server_id: run.server_id, op_id: result.op_id, action };
    const tried = await attempt(tx, (db) => setPower(db, actor, wanted, now));
    if ('end' in tried) return tried.end;
    result.before = { power: server.facts.power, epoch, ended_at };
  }
  const { before } = result;
  const state = server.facts.power;
  const ends = state === 'stopped' || state === 'crashed';
  if (action === 'stop') return ends ? { done: null } : 'later';
  if (state === 'running' && (action === 'start' || epoch !== before.epoch)) return { done: null };
  // one that crashed anew and is not started again by its agent
  const isNew = before.power !== 'crashed' || ended_at !== before.ended_at;
  const gaveUp = state === 'crashed' && isNew && !crash?.restart_at;
  return gaveUp ? { failed: { code: 'schedule_start_failed' } } : 'later';
}

async function backup(
  tx: Transaction,
  { run, result }: Work,
  actor: Actor,
  settings: BackupSettings,
  now: Date,
): Promise<StepEnd> {
  const { server_id } = run;
  if (!result.backup_id) {
    const wanted = { server_id, op_id: result.op_id };
    const tried = await attempt(tx, (db) => backUpAsStep(db, actor, wanted, settings, now));
    if ('end' in tried) return tried.end;
    result.backup_id = tried.value;
  }
  const made = await attempt(tx, (db) => backupRow(db, server_id, result.backup_id!));
  if ('end' in made) return made.end;
  const { state, error } = made.value;
  if (state === 'queued' || state === 'creating') return 'later';
  if (state === 'cancelled') return { failed: { code: 'backup_canceled' } };
  if (state !== 'failed') return { done: null };
  return { failed: { code: error?.code ?? 'operation_failed', ...(error?.data && { data: error.data }) } };
}

/** Whether a plane is at it. Otherwise it is for who asks. */
function claim(result: StepResult, now: Date): 'later' | 'agent' {
  const { claimed_until, again } = result;
  if ([claimed_until, again].some((until) => until && now < new Date(until))) return 'later';
  result.claimed_until = new Date(+now + claim_ms).toISOString();
  return 'agent';
}

/** A command is sent at most once: when nobody can say what became of it, it failed. */
const command = (result: StepResult, now: Date): StepEnd =>
  result.claimed_until && now >= new Date(result.claimed_until)
    ? { failed: { code: 'command_not_delivered' } }
    : claim(result, now);

async function update(tx: Transaction, result: StepResult, now: Date): Promise<StepEnd> {
  const change = await changeById(tx, result.op_id);
  if (!change) return claim(result, now);
  if (change.step === 'failed')
    return {
      failed: {
        code: change.error?.code ?? 'operation_failed',
        ...(change.error?.data && { data: change.error.data }),
      },
    };
  if (change.step === 'cancelled') return { failed: { code: 'change_canceled' } };
  return change.ended !== null || change.step === 'starting' ? { done: null } : 'later';
}
