import { schedule } from 'node-cron';
import { Refused } from '#db/platform/errors.ts';
import type { JobQueue } from '#db/platform/jobs/queue.ts';
import type { JobName, Jobs } from '#db/platform/jobs/queues.ts';
import type { JobContext, JobDefinition } from './define.ts';

type AnyJob = JobDefinition<JobName>;

/**
 * Runs one job. A refusal that a retry cannot change is logged and ends the job; everything else (a full disk, a busy
 * database, a bug) is thrown, so that the queue tries again later and keeps the job with its error in the end.
 */
async function runJob<N extends JobName>(
  job: JobDefinition<N>,
  context: JobContext,
  data: Jobs[N],
): Promise<void> {
  const { log } = context;
  const began = performance.now();
  const duration_ms = () => Math.round(performance.now() - began);
  try {
    const result = await job.run(context, data);
    log[result ? 'info' : 'debug']({ job: job.name, duration_ms: duration_ms(), ...result }, 'Job finished');
  } catch (error) {
    if (error instanceof Refused && error.status < 500) {
      log.warn({ job: job.name, duration_ms: duration_ms(), code: error.code }, 'Job refused, not retried');
      return;
    }
    log.error({ job: job.name, duration_ms: duration_ms(), err: error }, 'Job failed, will be retried');
    throw error;
  }
}

/** Takes jobs of every kind from the queue. */
export async function startWorkers(
  jobs: Record<JobName, unknown>,
  board: Pick<JobQueue, 'work'>,
  context: JobContext,
): Promise<void> {
  for (const job of Object.values(jobs) as AnyJob[])
    await board.work(job.name, (data) => runJob(job, context, data));
}

/** Enqueues jobs on their schedules. Gives the function that stops the timers. */
export function startTimers(
  jobs: Record<JobName, unknown>,
  board: Pick<JobQueue, 'enqueueUnique'>,
  failed: (job: JobName, error: unknown) => void,
): () => void {
  const tasks = (Object.values(jobs) as AnyJob[]).flatMap(({ name, schedule: when }) => {
    if (!when) return [];
    const enqueue = () => board.enqueueUnique(name, {}, when.unique_s).catch((error) => failed(name, error));
    return schedule(when.cron, enqueue, { timezone: 'UTC', noOverlap: true, name });
  });
  return () => {
    for (const task of tasks) task.destroy();
  };
}
