import type { Sort } from '#db/search/engine.ts';
import { parseFilter } from '#db/search/query-language.ts';
import { type Kind, kinds } from '../project/types.ts';
import type { Services } from '../services.ts';
import { type Hit, slim } from './hit.ts';
import { facetsOf, parseState, type SearchState } from './state.ts';

const tree = (state: SearchState, kind: Kind) =>
  parseFilter({ facets: JSON.stringify(facetsOf(state, kind.type)) }, 2);

/** The hits of a search screen and how many there are. */
export async function find(
  { search }: Services,
  kind: Kind,
  state: SearchState,
): Promise<{ hits: Hit[]; total: number }> {
  const found = await search.search({
    text: state.text,
    filter: tree(state, kind),
    sort: state.sort,
    offset: (state.page - 1) * state.size,
    limit: state.size,
  });
  return { hits: (await search.hits(found, 2)).map(slim), total: found.total };
}

const everything = parseState(new URLSearchParams());

/** The first of all projects by some order, and how many there are, for the home page. */
export async function top(
  { search }: Services,
  sort: Sort,
  limit: number,
): Promise<{ hits: Hit[]; total: number }> {
  const found = await search.search({ text: '', filter: null, sort, offset: 0, limit });
  return { hits: (await search.hits(found, 2)).map(slim), total: found.total };
}

/** The newest projects of one kind. */
export async function newestOfKind({ search }: Services, kind: Kind, limit: number): Promise<Hit[]> {
  const filter = tree(everything, kind);
  const found = await search.search({ text: '', filter, sort: 'newest', offset: 0, limit });
  return (await search.hits(found, 2)).map(slim);
}

const fresh_ms = 60_000;
const kept = new WeakMap<object, { until: number; counts: Promise<Map<string, number>> }>();

/** How many projects each kind has, at most a minute old: every search screen shows it. */
export function countsOf({ search }: Services): Promise<Map<string, number>> {
  const known = kept.get(search);
  if (known && Date.now() < known.until) return known.counts;
  const ask = async (kind: Kind) => {
    const found = await search.search({
      text: '',
      filter: tree(everything, kind),
      sort: 'downloads',
      offset: 0,
      limit: 1,
    });
    return [kind.type, found.total] as const;
  };
  const counts = Promise.all(kinds.map(ask)).then((pairs) => new Map<string, number>(pairs));
  kept.set(search, { until: Date.now() + fresh_ms, counts });
  counts.catch(() => kept.delete(search));
  return counts;
}
