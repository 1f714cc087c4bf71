import type { Db } from './postgres/sql.ts';
import type { MediaSettings } from './storage/url.ts';

/** What a read needs that gives URLs of stored files: the pool or a transaction, and the settings. */
export interface ReadContext {
  sql: Db;
  settings: MediaSettings;
}
