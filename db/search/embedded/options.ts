import type { Logger } from 'pino';
import type { Connect, Pool } from '../../sql.ts';
import type { Backoff } from './build-slot.ts';
import type { Searcher } from './searcher.ts';

export interface Limits extends Backoff {
  /** Documents of the hot part; above it warm is made anew. */
  hot: number;
  /** No more than this go into the hot part, which every change makes anew: the rest waits for the next warm one. */
  max_recent: number;
  /** Projects that changed since the base was built; above it a new base is built. */
  changed: number;
  /** A base older than this with changes is built anew. */
  age_ms: number;
  gather_ms: number;
  poll_ms: number;
}

/** Source: search §4 (Change). */
export const defaults: Limits = {
  hot: 128,
  max_recent: 512,
  changed: 4_000,
  age_ms: 24 * 3_600_000,
  gather_ms: 400,
  poll_ms: 1_000,
  first_ms: 1_000,
  last_ms: 300_000,
  nice: 15,
};

/** What keeping an index works with. */
export interface SyncContext {
  sql: Pool;
  /** Where builders find the database. */
  connect: Pick<Connect, 'address' | 'database'>;
  /** Where snapshots lie. */
  folder: string;
  searcher: Searcher;
  log: Logger;
  limits: Limits;
}
