import { type RefusalCode, Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Settings } from '../../../platform/runtime/env.ts';
import type { OperationError } from '../operations/rules.ts';
import { type ServerRecord, serversById } from '../read.ts';
import { turnOnAgain } from './power.ts';
import type { EndStep, Task } from './rows.ts';
import { addTask, type NewTask, type TaskChange, updateTask } from './write.ts';

/** How tasks go on: what each kind says of its steps is done here, the same for all kinds. */

/** A task at work, and its server as it is now; null when that is being deleted. */
export interface Work<T extends Task> {
  db: Db;
  task: T;
  server: ServerRecord | null;
  settings: Pick<Settings, 'BACKUP_ENGINE' | 'BACKUP_TARGET'>;
  now: Date;
}

/** What has become of a step: it waits, another one follows, or the task ends. */
export type Next<T extends Task> = 'waits' | { step: T['step'] } | { ends: 'done' | 'cancelled' } | Failed;
interface Failed {
  fails: OperationError;
}

export interface StepRules<T extends Task> {
  /** How long it may wait; without it, as long as it takes. `isLate` says when that is over. */
  most_ms?: number;
  /** What begins with the step, and what is stored of it. */
  begin?(work: Work<T>): Promise<TaskChange<T> | undefined>;
  /** Asked at once, and again after anything that it may wait for. */
  check(work: Work<T>): Promise<Next<T>>;
}

/** A kind of tasks that go step by step. A refusal of a step is the failure of its task. */
export interface StepwiseKind<T extends Task> {
  kind: T['kind'];
  steps: Partial<Record<T['step'], StepRules<T>>>;
  /** What follows from its end beside a server that starts again. */
  onEnd(work: Work<T>, end: { step: EndStep; error: OperationError | null }): Promise<void>;
}

export const fails = (code: RefusalCode): Failed => ({ fails: { code, retryable: true } });

export const isLate = ({ task: { step_until }, now }: Work<Task>): boolean =>
  step_until !== null && now > new Date(step_until);

type Parts = Pick<Work<Task>, 'db' | 'settings' | 'now'>;

/** Begins a task with its first step, and takes it as far as it can go now. The row of the server is locked. */
export async function beginTask<T extends Task>(
  kind: StepwiseKind<T>,
  { step, ...task }: NewTask<T> & { step: T['step'] },
  parts: Parts,
): Promise<void> {
  const { db, now } = parts;
  const added = await addTask<T>(db, { ...task, step, step_until: null, began: now } as never);
  await follow(kind, await workOn(added, parts), { step });
}

/**
 * Takes a task as far as it can go now. Each step is stored before it begins, so any control plane goes on after a crash. The
 * row of the server is locked.
 */
export async function advanceTask<T extends Task>(
  kind: StepwiseKind<T>,
  task: T,
  parts: Parts,
): Promise<void> {
  const work = await workOn(task, parts);
  await follow(kind, work, await orFailure(() => kind.steps[task.step as T['step']]!.check(work)));
}

async function workOn<T extends Task>(task: T, { db, settings, now }: Parts): Promise<Work<T>> {
  const [server = null] = await serversById(db, [task.server_id], now);
  return { db, task, server, settings, now };
}

async function follow<T extends Task>(kind: StepwiseKind<T>, from: Work<T>, first: Next<T>): Promise<void> {
  let [work, next] = [from, first];
  while (next !== 'waits') {
    if ('ends' in next) return await endTask(kind, work, { step: next.ends, error: null });
    if ('fails' in next) return await endTask(kind, work, { step: 'failed', error: next.fails });
    const { step }: { step: T['step'] } = next;
    const { most_ms, begin, check } = kind.steps[step]!;
    const step_until = most_ms === undefined ? null : new Date(work.now.getTime() + most_ms);
    work = await workOn(await updateTask<T>(work.db, { ...work.task, step }, { step_until }), work);
    next = await orFailure(async () => {
      const change = await begin?.(work);
      if (change) work = { ...work, task: await updateTask<T>(work.db, work.task, change) };
      return await check(work);
    });
  }
}

async function orFailure<T extends Task>(ask: () => Promise<Next<T>>): Promise<Next<T>> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return fails(error.code);
  }
}

/** Ends a task, whatever came of it: a server that ran is started again. */
export async function endTask<T extends Task>(
  kind: StepwiseKind<T>,
  work: Work<T>,
  end: { step: EndStep; error: OperationError | null },
): Promise<void> {
  const { db, now } = work;
  await updateTask<T>(db, work.task, { ...end, cancelling: false, ended: now } as TaskChange<T>);
  await kind.onEnd(work, end);
  await turnOnAgain(db, work.task);
}
