import type { Logger } from 'pino';
import type { Settings } from '#db/env.ts';
import type { SearchEngine } from '#db/search/engine.ts';
import type { Pool } from '#db/sql.ts';
import type { Storage } from '#db/storage/storage.ts';
import type { Renderer } from '#db/text/rendered.ts';

/** What the doorways of the site work with; made once in `server.ts`, made small in tests. */
export interface Services {
  settings: Settings;
  sql: Pool;
  storage: Storage;
  search: SearchEngine;
  renderer: Renderer;
  log: Logger;
  now(): Date;
}
