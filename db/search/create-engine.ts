import { join } from 'node:path';
import type { AppContext } from '../context.ts';
import { databaseAddress, type Settings } from '../runtime/env.ts';
import { searchServer } from './consumers.ts';
import { embeddedEngine } from './embedded/engine.ts';
import type { SearchEngine } from './engine.ts';

/** Where snapshots of the embedded engine lie. */
export const snapshotFolder = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string => join(DATA_DIR, 'search');

/** How the builders of an installation reach its database. */
export const builderConnect = (settings: Settings) => ({ address: databaseAddress(settings) ?? '' });

/**
 * The engine that `SEARCH_ENGINE` names, for a process that answers searches; `close` ends what it started. The index
 * that the record opened answers while the embedded engine is not ready. It does not stand in for a search server:
 * whoever needs one has more than it could bear.
 */
export function createEngine({
  settings,
  sql,
  search,
  log,
}: Pick<AppContext, 'settings' | 'sql' | 'search' | 'log'>): SearchEngine & { close(): Promise<void> } {
  const elsewhere = searchServer(settings);
  if (elsewhere) return elsewhere;
  if (settings.SEARCH_ENGINE !== 'embedded') return { ...search, close: async () => {} };
  return embeddedEngine({
    ...{ sql, log, fallback: search },
    connect: builderConnect(settings),
    folder: snapshotFolder(settings),
  });
}
