import type { Version } from '#db/versions/shape.ts';
import { matching, queryOf, type VersionFilters } from './filters.ts';

/**
 * What `/version/latest` leads to, with what `?loader=` and `?version=` narrow it to: the newest version of any channel,
 * null when none matches; `query` is that of the list of versions narrowed the same. `versions` newest first.
 * Source: screens §A.4 (version page).
 */
export function latest(
  versions: readonly Version[],
  query: URLSearchParams,
): { version: Version | null; query: string } {
  const requested = (name: string) => [...new Set(query.getAll(name).filter(Boolean).slice(0, 64))];
  const filters: VersionFilters = {
    game_versions: requested('version'),
    loaders: requested('loader'),
    channels: [],
    page: 1,
  };
  return { version: matching(versions, filters)[0] ?? null, query: queryOf(filters) };
}
