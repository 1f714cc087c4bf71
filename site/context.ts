import type { UsageCounter } from '#db/analytics/counter.ts';
import type { AppContext } from '#db/context.ts';
import type { LazyQueue } from '#db/jobs/lazy-queue.ts';

/**
 * The services that the entry points of the site use: the open context, created once in `server.ts`, a smaller one in
 * tests.
 */
export type AppServices = Omit<AppContext, 'close' | 'searchIndex'> & {
  /** Counts downloads, views and playtime. */
  usage: UsageCounter;
  /** The job queue. */
  queue: LazyQueue['queue'];
};
