import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Refused } from '../errors.ts';
import type { Settings } from '../runtime/env.ts';
import { databaseAddress } from '../runtime/settings/data.ts';
import { type JobQueue, openQueue } from './queue.ts';

/** A job queue that is opened on first use, because most processes never enqueue a job. */
export interface LazyQueue {
  /**
   * Refuses `busy` while the queue does not exist (the control plane creates it at its first start) and when it takes
   * longer than 1.5 s to open.
   */
  queue(): Promise<Pick<JobQueue, 'enqueue'>>;
  close(): Promise<void>;
}

const open_ms = 1_500;

export function lazyQueue(settings: Settings, log: Logger): LazyQueue {
  let opening: Promise<JobQueue> | null = null;
  return {
    async queue() {
      opening ??= openQueue(databaseAddress(settings)!, log);
      const current = opening;
      try {
        return await Promise.race([current, late()]);
      } catch (err) {
        current.catch(() => {
          if (opening === current) opening = null; // the next call tries again
        });
        log.warn({ err }, 'Could not open the job queue; the next request tries again');
        throw new Refused('busy');
      }
    },
    async close() {
      await (await opening?.catch(() => null))?.close(2_000);
    },
  };
}

async function late(): Promise<never> {
  await wait(open_ms, undefined, { ref: false });
  throw new Error('The job queue took too long to open');
}
