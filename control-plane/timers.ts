import { schedule } from 'node-cron';
import type { Board } from '#db/jobs/board.ts';
import type { JobName } from '#db/jobs/queues.ts';

/** When, in UTC, and for how long a job of this name stands for all processes that thought of it at the same time. */
export const timers = {
  bill_due: { at: '* * * * *', seconds: 50 },
  expire_nodes: { at: '*/5 * * * * *', seconds: 5 },
  place_servers: { at: '*/10 * * * * *', seconds: 10 },
  expire_operations: { at: '*/10 * * * * *', seconds: 10 },
  notices_due: { at: '* * * * *', seconds: 50 },
  trim_hosting: { at: '27 3 * * *', seconds: 3_600 },
  forget_expired: { at: '*/10 * * * *', seconds: 300 },
  render_anew: { at: '7 * * * *', seconds: 1_800 },
  sweep_storage: { at: '17 3 * * *', seconds: 3_600 },
  trim_events: { at: '47 3 * * *', seconds: 3_600 },
} satisfies Partial<Record<JobName, { at: string; seconds: number }>>;
type Timed = keyof typeof timers;

/** Puts each job up when its time has come. Gives the function that stops the clocks. */
export function startTimers(board: Board, failed: (name: Timed, error: unknown) => void): () => void {
  const tasks = (Object.keys(timers) as Timed[]).map((name) =>
    schedule(
      timers[name].at,
      () => board.sendOnce(name, {}, timers[name].seconds).catch((error) => failed(name, error)),
      { timezone: 'UTC', noOverlap: true, name },
    ),
  );
  return () => {
    for (const task of tasks) task.destroy();
  };
}
