import { isStopped, turnOff } from './power.ts';
import type { Task } from './rows.ts';
import { fails, isLate, type Next, type StepRules, type Work } from './steps.ts';

/** How long a server may take to stop. */
export const stop_timeout_ms = 10 * 60_000;

/** Has a server that runs stop; it is started again at the end. */
export async function beginToStop({ db, task, server }: Work<Task>): Promise<{ starts: boolean }> {
  const starts = server?.view.power_wanted === 'on';
  if (starts) await turnOff(db, task.server_id);
  return { starts };
}

/** Null once the server has stopped. */
export async function untilStopped(work: Work<Task>): Promise<'waits' | ReturnType<typeof fails> | null> {
  if (await isStopped(work.db, work.task.server_id)) return null;
  return isLate(work) ? fails('server_still_running') : 'waits';
}

/** The first step of what replaces files; `stops`: whether the server may not run meanwhile. */
export const stopping = <T extends Task>({
  stops = () => true,
  isCancelled,
  next,
}: {
  stops?(task: T): boolean;
  isCancelled(work: Work<T>): Promise<boolean> | boolean;
  next(task: T): T['step'];
}): StepRules<T> => ({
  most_ms: stop_timeout_ms,
  begin: async (work) => (stops(work.task) ? await beginToStop(work) : undefined),
  async check(work): Promise<Next<T>> {
    if (await isCancelled(work)) return { ends: 'cancelled' };
    if (!work.server || work.server.facts.lifecycle === 'suspended') return fails('server_suspended');
    return (stops(work.task) ? await untilStopped(work) : null) ?? { step: next(work.task) };
  },
});
