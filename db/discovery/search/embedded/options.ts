import type { Logger } from 'pino';
import type { Connect, Pool } from '../../../platform/postgres/sql.ts';
import type { BuildLimits } from './build-slot.ts';
import type { Searcher } from './searcher.ts';

export interface Limits extends BuildLimits {
  /** Maximum documents of the hot layer; above it the warm layer is rebuilt. */
  hot: number;
  /** Maximum changes for the hot layer, which every change rebuilds: the rest waits for the next warm layer. */
  max_recent: number;
  /** Projects changed since the base was built; above it a new base is built. */
  changed: number;
  /** Maximum age of a base with changes. */
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

/** Dependencies of the index sync. */
export interface SyncContext {
  sql: Pool;
  /** Database connection for builders. */
  connect: Pick<Connect, 'address' | 'database'>;
  /** Folder of snapshots. */
  folder: string;
  searcher: Searcher;
  log: Logger;
  limits: Limits;
}
