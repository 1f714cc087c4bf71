import { Refused } from '../../platform/errors.ts';
import type { DatabaseState } from '../../platform/postgres/database-watch.ts';
import { mayServeStale } from '../../platform/runtime/stale-window.ts';
import type { SearchEngine } from './engine.ts';

/**
 * `engine` under the rule of saved pages: while Postgres is away it answers only from an index that had followed events
 * up to two seconds before, for `limit_ms` at most, so that nothing hidden before the outage is found. Otherwise it
 * refuses `database_away` (503), and so does an engine that cannot say how far it follows. Source: design §4.3.
 */
export function whileDatabaseAway<E extends SearchEngine>(
  engine: E,
  database: Pick<DatabaseState, 'awaySince'>,
  limit_ms: number,
): E {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    const away_since = database.awaySince();
    if (away_since === null) return await work();
    const confirmed_at = engine.confirmedAt?.() ?? null;
    if (
      confirmed_at === null ||
      !mayServeStale({ confirmed_at, away_since, now: performance.now() }, limit_ms)
    )
      throw new Refused('database_away');
    return await work();
  }
  return {
    ...engine,
    search: (query) => guarded(() => engine.search(query)),
    count: (query) => guarded(() => engine.count(query)),
    hits: (found, api, settings) => guarded(() => engine.hits(found, api, settings)),
  };
}
