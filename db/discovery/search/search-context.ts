import type { Logger } from 'pino';
import type { Pool } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import type { SearchEngine, SearchIndex } from './engine.ts';

/** What search uses of the context of a process. */
export interface SearchContext {
  settings: Settings;
  sql: Pool;
  /** The engine that answers searches. */
  search: SearchEngine;
  /** The index in Postgres, kept up to date by the control plane. */
  searchIndex: SearchIndex;
  log: Logger;
  now(): Date;
}
