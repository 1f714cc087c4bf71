import type { Version } from '#db/catalogue/versions/shape.ts';

/** The filters of a version list: its query. */
export interface VersionFilters {
  game_versions: string[];
  loaders: string[];
  channels: string[];
  page: number;
}

const pageSize = 20;
export const fields = { game_versions: 'v', loaders: 'g', channels: 'c' } as const;
type List = keyof typeof fields;

/** Parses a query; unknown values match nothing, an invalid page is the first. */
export function parseFilters(query: URLSearchParams): VersionFilters {
  const list = (name: List) => [...new Set(query.getAll(fields[name]).filter(Boolean).slice(0, 64))];
  const page = Number.parseInt(query.get('page') ?? '', 10);
  return {
    game_versions: list('game_versions'),
    loaders: list('loaders'),
    channels: list('channels'),
    page: page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** The query of filters, without defaults. */
export function queryOf(filters: VersionFilters): string {
  const query = new URLSearchParams();
  for (const list of Object.keys(fields) as List[]) {
    for (const value of filters[list]) query.append(fields[list], value);
  }
  if (filters.page > 1) query.set('page', String(filters.page));
  return query.size === 0 ? '' : `?${query}`;
}

/** The filters with `value` toggled, on the first page. */
export function toggled(filters: VersionFilters, list: List, value: string): VersionFilters {
  const on = filters[list].includes(value);
  const values = on ? filters[list].filter((one) => one !== value) : [...filters[list], value];
  return { ...filters, [list]: values, page: 1 };
}

/** The filters with all of `values` on, or all off if they were all on; on the first page. */
export function toggledAll(filters: VersionFilters, list: List, values: readonly string[]): VersionFilters {
  const others = filters[list].filter((one) => !values.includes(one));
  const on = values.every((value) => filters[list].includes(value));
  return { ...filters, [list]: on ? others : [...others, ...values], page: 1 };
}

/** Versions that match: any value of each list that is not empty. */
export function matching(versions: readonly Version[], filters: VersionFilters): Version[] {
  const any = (requested: string[], has: string[]) =>
    requested.length === 0 || requested.some((one) => has.includes(one));
  return versions.filter(
    (version) =>
      any(filters.game_versions, version.game_versions) &&
      any(filters.loaders, version.loaders) &&
      any(filters.channels, [version.version_type]),
  );
}

export interface VersionPage {
  /** How many versions match. */
  found: number;
  pages: number;
  /** Empty beyond the last page. */
  visible: Version[];
}

/** The page of versions that the filters name. */
export function pageOf(versions: readonly Version[], filters: VersionFilters): VersionPage {
  const found = matching(versions, filters);
  const from = (filters.page - 1) * pageSize;
  return {
    found: found.length,
    pages: Math.ceil(found.length / pageSize),
    visible: found.slice(from, from + pageSize),
  };
}

/** Suggestions when nothing matches: each filter whose removal gives matches, with their number. */
export function loosened(
  versions: readonly Version[],
  filters: VersionFilters,
): Array<{ list: List; filters: VersionFilters; found: number }> {
  return (Object.keys(fields) as List[])
    .filter((list) => filters[list].length > 0)
    .map((list) => ({ list, filters: { ...filters, [list]: [], page: 1 } }))
    .map((wider) => ({ ...wider, found: matching(versions, wider.filters).length }))
    .filter(({ found }) => found > 0);
}
