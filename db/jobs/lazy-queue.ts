import type { Logger } from 'pino';
import { Refused } from '../errors.ts';
import { databaseAddress, type Settings } from '../runtime/env.ts';
import { type JobQueue, openQueue } from './queue.ts';

/** A board that is opened when somebody first has something to put up: most processes never do. */
export interface LazyQueue {
  /** Refuses `busy` while there is none yet: the control plane makes it at its first start. */
  queue(): Promise<Pick<JobQueue, 'enqueue'>>;
  close(): Promise<void>;
}

export function lazyQueue(settings: Settings, log: Logger): LazyQueue {
  let opening: Promise<JobQueue> | null = null;
  return {
    async queue() {
      opening ??= openQueue(databaseAddress(settings)!, log);
      const current = opening;
      try {
        return await current;
      } catch (err) {
        if (opening === current) opening = null; // the next who asks tries again
        log.warn({ err }, 'The job board could not be opened');
        throw new Refused('busy');
      }
    },
    async close() {
      await (await opening?.catch(() => null))?.close(2_000);
    },
  };
}
