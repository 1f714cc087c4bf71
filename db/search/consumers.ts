import type { AppContext } from '../context.ts';
import type { EventConsumer } from '../events/consumer.ts';
import type { Settings } from '../runtime/env.ts';
import { indexConsumer } from './documents/index-consumer.ts';
import { type OpenSearchEngine, openSearchEngine } from './opensearch/engine.ts';

/** The cursor of the index on a search server. */
export const serverCursor = 'opensearch';

/** The search server that is chosen, or null. */
export const searchServer = ({ SEARCH_ENGINE, SEARCH_URL }: Settings): OpenSearchEngine | null =>
  SEARCH_ENGINE === 'opensearch' && SEARCH_URL ? openSearchEngine({ url: SEARCH_URL }) : null;

export interface IndexConsumer extends EventConsumer {
  /** Makes the index anew; gives false when another process is at it. */
  rebuild(timeout_ms?: number): Promise<boolean>;
}

/**
 * Who keeps the stored indices in step with the catalogue: that of the database always, and that of a search server
 * when one is chosen.
 */
export function indexConsumers({
  settings,
  sql,
  searchIndex,
}: Pick<AppContext, 'settings' | 'sql' | 'searchIndex'>): IndexConsumer[] {
  const server = searchServer(settings);
  return [indexConsumer(sql, searchIndex), ...(server ? [indexConsumer(sql, server, serverCursor)] : [])];
}
