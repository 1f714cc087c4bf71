import type { Logger } from 'pino';
import type { Connect, Pool } from '../../sql.ts';
import type { Patience } from './builder-post.ts';
import type { Searcher } from './searcher.ts';

export interface Limits extends Patience {
  /** Documents of the hot part; above it warm is made anew. */
  hot: number;
  /** No more than this go into the hot part, which every change makes anew: the rest waits for the next warm one. */
  most_hot: number;
  /** Projects that changed since the base was built; above it a new base is built. */
  changed: number;
  /** A base older than this with changes is built anew. */
  age_ms: number;
  gather_ms: number;
  poll_ms: number;
}

/** Source: search §4 (Change). */
export const usual: Limits = {
  hot: 128,
  most_hot: 512,
  changed: 4_000,
  age_ms: 24 * 3_600_000,
  gather_ms: 400,
  poll_ms: 1_000,
  first_ms: 1_000,
  last_ms: 300_000,
  nice: 15,
};

/** What keeping an index works with. */
export interface Tools {
  sql: Pool;
  /** Where builders find the database. */
  connect: Pick<Connect, 'address' | 'database'>;
  /** Where snapshots lie. */
  folder: string;
  searcher: Searcher;
  log: Logger;
  limits: Limits;
}
