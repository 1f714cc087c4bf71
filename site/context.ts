import type { AppContext } from '#db/context.ts';
import type { LazyQueue } from '#db/jobs/lazy-queue.ts';

/** What the doorways of the site work with: the open record, made once in `server.ts`, made small in tests. */
export type AppServices = Omit<AppContext, 'close' | 'searchIndex'> & {
  /** Where jobs are put up. */
  queue: LazyQueue['queue'];
};
