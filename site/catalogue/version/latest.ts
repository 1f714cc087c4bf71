import type { Version } from '#db/catalogue/versions/shape.ts';
import { matching, queryOf, type VersionFilters } from './filters.ts';

/**
 * The target of `/version/latest`, filtered by `?loader=` and `?version=`: the newest version of any channel, null when
 * none matches; `query` is that of the version list with the same filters. `versions` newest first.
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
