import { join } from 'node:path';
import type { Settings } from '../../platform/runtime/env.ts';
import { databaseAddress } from '../../platform/runtime/settings/data.ts';
import { searchServer } from './consumers.ts';
import { embeddedEngine } from './embedded/engine.ts';
import type { SearchEngine } from './engine.ts';
import type { SearchContext } from './search-context.ts';

/** Folder for snapshots of the embedded engine. */
export const snapshotFolder = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string => join(DATA_DIR, 'search');

/** Database connection for the builder processes of an installation. */
export const builderConnect = (settings: Settings) => ({ address: databaseAddress(settings) ?? '' });

/**
 * The engine named by `SEARCH_ENGINE`, for a process that answers searches; `close` stops what it started. The
 * Postgres engine of the context answers until the embedded engine is ready. It is no fallback for a search server,
 * whose load it could not handle.
 */
export function createEngine({
  settings,
  sql,
  search,
  log,
}: Pick<SearchContext, 'settings' | 'sql' | 'search' | 'log'>): SearchEngine & { close(): Promise<void> } {
  const elsewhere = searchServer(settings);
  if (elsewhere) return elsewhere;
  if (settings.SEARCH_ENGINE !== 'embedded') return { ...search, close: async () => {} };
  return embeddedEngine({
    ...{ sql, log, fallback: search },
    connect: builderConnect(settings),
    folder: snapshotFolder(settings),
  });
}
