import type { AppContext } from '#db/context.ts';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import type { PayoutProvider } from '#db/money/payouts/provider.ts';
import type { JobName, Jobs, Queue } from '#db/platform/jobs/queues.ts';

/** What jobs work with: the context of the process, the payment processor, the job queue and those who pay creators. */
export type JobContext = AppContext & BillingContext & { payouts: readonly PayoutProvider[] };

/** One kind of job: everything about it stands here. */
export interface JobDefinition<N extends JobName> {
  name: N;
  /** Retries, longest run and retention. */
  queue: Queue;
  /** When it is enqueued by itself; a job without one is enqueued by others. */
  schedule?: Schedule;
  /** May run twice. Gives fields for the log, nothing when there was nothing to do. */
  run(context: JobContext, data: Jobs[N]): Promise<Record<string, unknown> | undefined>;
}

interface Schedule {
  /** In UTC, with seconds in front when there are six fields. */
  cron: string;
  /** Processes that enqueue it within so many seconds make one job. */
  unique_s: number;
}

/** Declares a job. Queue, worker and timer derive from this. */
export const defineJob = <N extends JobName>(job: JobDefinition<N>): JobDefinition<N> => job;
