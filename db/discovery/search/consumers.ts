import type { EventConsumer } from '../../platform/events/consumer.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import { indexConsumer } from './documents/index-consumer.ts';
import { type OpenSearchEngine, openSearchEngine } from './opensearch/engine.ts';
import type { SearchContext } from './search-context.ts';

/** Cursor name of the index on a search server. */
export const serverCursor = 'opensearch';

/** The configured search server, or null. */
export const searchServer = ({ SEARCH_ENGINE, SEARCH_URL }: Settings): OpenSearchEngine | null =>
  SEARCH_ENGINE === 'opensearch' && SEARCH_URL ? openSearchEngine({ url: SEARCH_URL }) : null;

export interface IndexConsumer extends EventConsumer {
  /** Rebuilds the index; gives false when another process is rebuilding it. */
  rebuild(timeout_ms?: number): Promise<boolean>;
}

/**
 * Event consumers that keep the stored indices up to date: always the one in the database, and the one on a search
 * server when it is configured.
 */
export function indexConsumers({
  settings,
  sql,
  searchIndex,
}: Pick<SearchContext, 'settings' | 'sql' | 'searchIndex'>): IndexConsumer[] {
  const server = searchServer(settings);
  return [indexConsumer(sql, searchIndex), ...(server ? [indexConsumer(sql, server, serverCursor)] : [])];
}
