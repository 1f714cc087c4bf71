import { postgresEngine } from './discovery/search/postgres/engine.ts';
import type { SearchContext } from './discovery/search/search-context.ts';
import { LastUsed } from './platform/people/last-used.ts';
import type { DatabaseWatch } from './platform/postgres/database-watch.ts';
import { connectGuarded } from './platform/postgres/guarded-pool.ts';
import { connect } from './platform/postgres/sql.ts';
import type { Settings } from './platform/runtime/env.ts';
import { createLog } from './platform/runtime/log.ts';
import { databaseAddress } from './platform/runtime/settings/data.ts';
import { openSealer } from './platform/secrets/key-file.ts';
import type { Sealer } from './platform/secrets/seal.ts';
import { SecurityLog } from './platform/security-log/security-log.ts';
import { openStorage } from './platform/storage/open.ts';
import type { Storage } from './platform/storage/storage.ts';
import { createRenderer } from './platform/text/render.ts';
import type { Renderer } from './platform/text/rendered.ts';

/** Database, storage, search, log and clock: what every process of the product uses. */
export interface AppContext extends SearchContext {
  /** Whether Postgres answers, in processes that watch it. */
  watch?: DatabaseWatch;
  storage: Storage;
  renderer: Renderer;
  /** Encrypts what must be read back; the key lies in DATA_DIR. */
  sealer: Sealer;
  /** When tokens and sessions were last used. */
  lastUsed: LastUsed;
  /** What happens to the security of accounts. */
  securityLog: SecurityLog;
  close(): Promise<void>;
}

/**
 * Opens database, storage, search and renderer as the settings say. `process_name` appears in logs and in Postgres;
 * `statement_timeout_ms` bounds every wait for the database (`connect`), and has it watched, so that nothing waits for it
 * while it is away.
 */
export function openContext(
  settings: Settings,
  process_name: string,
  { connections = 10, statement_timeout_ms }: { connections?: number; statement_timeout_ms?: number } = {},
): AppContext {
  const address = databaseAddress(settings);
  if (!address) throw new Error('No database is configured: start the product, or set DATABASE_URL.');
  const log = createLog(process_name, settings.LOG_LEVEL);
  const options = { address, max: connections, application: `cairn ${process_name}` };
  const { sql, watch } = statement_timeout_ms
    ? connectGuarded({ ...options, statement_timeout_ms }, log)
    : { sql: connect(options), watch: null };
  const searchIndex = postgresEngine(sql);
  const renderer = createRenderer(settings, sql);
  const securityLog = new SecurityLog(sql);
  return {
    settings,
    sql,
    ...(watch && { watch }),
    storage: openStorage(settings),
    search: searchIndex,
    searchIndex,
    renderer,
    sealer: openSealer(settings.DATA_DIR),
    lastUsed: new LastUsed(sql),
    securityLog,
    log,
    now: () => new Date(),
    close: async () => {
      await securityLog.write().catch((err) => log.warn({ err }, 'The log of security could not be written'));
      await renderer.close();
      await watch?.close();
      await sql.end({ timeout: 2 });
    },
  };
}
