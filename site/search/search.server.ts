import { memoizeFor } from '#db/runtime/memoize.ts';
import { parseFilter } from '#db/search/query/query-language.ts';
import type { Sort } from '#db/search/sorts.ts';
import { type GameVersion, gameVersions } from '#db/tags/read.ts';
import type { AppServices } from '../context.ts';
import { type ProjectTypeInfo, projectTypes } from '../project-types.ts';
import { facetsOf } from './facets.ts';
import { knownOf } from './groups.ts';
import { type Hit, slim } from './hit.ts';
import { type QueryNotices, readAddress } from './query-notices.ts';
import { type RelaxSuggestion, relaxSuggestions } from './relax-suggestions.ts';
import { lastPage, parseState, type SearchState } from './state.ts';

const tree = (state: SearchState, kind: ProjectTypeInfo) =>
  parseFilter({ facets: JSON.stringify(facetsOf(state, kind.type)) }, 2);

/** Everything on a search page that depends on its address. */
export interface SearchPage {
  kind: ProjectTypeInfo;
  state: SearchState;
  hits: Hit[];
  total: number;
  notes: QueryNotices;
  /** The requested page when it does not exist: `state` has the last one. */
  beyond: number | null;
  /** What to remove when there are no results, and how many that gives. */
  loosen: Array<RelaxSuggestion & { total: number }>;
  /** Types with results for the words alone, when this one has none. */
  elsewhere: Array<{ kind: ProjectTypeInfo; total: number }>;
  versions: readonly GameVersion[];
}

/** Parses the address of a search page and searches: a page beyond the end becomes the last, never an error. */
export async function loadSearch(
  services: AppServices,
  kind: ProjectTypeInfo,
  query: URLSearchParams,
): Promise<SearchPage> {
  const versions = await gameVersions(services.sql);
  const { state, notes } = readAddress(query, knownOf(kind.type, versions));
  let { hits, total } = await find(services, kind, state);
  const last = lastPage(total, state.size);
  const beyond = state.page > last ? state.page : null;
  if (beyond) {
    state.page = last;
    ({ hits, total } = await find(services, kind, state));
  }
  const none = total === 0;
  const [loosen, elsewhere] = await Promise.all([
    none ? countLoosened(services, kind, state) : [],
    none ? countElsewhere(services, kind, state) : [],
  ]);
  return { kind, state, hits, total, notes, beyond: total > 0 ? beyond : null, loosen, elsewhere, versions };
}

/** The hits of a search and their total. */
async function find(
  { search }: AppServices,
  kind: ProjectTypeInfo,
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

async function count(
  { search }: Pick<AppServices, 'search'>,
  kind: ProjectTypeInfo,
  state: SearchState,
): Promise<number> {
  const filter = tree(state, kind);
  const found = await search.search({ text: state.text, filter, sort: 'downloads', offset: 0, limit: 1 });
  return found.total;
}

async function countLoosened(
  services: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
): Promise<SearchPage['loosen']> {
  const counted = await Promise.all(
    relaxSuggestions(state, kind.type).map(async (one) => ({
      ...one,
      total: await count(services, kind, one.state),
    })),
  );
  const some = counted.filter(({ total }) => total > 0);
  const single = some.filter(({ what }) => what !== 'all');
  return single.length > 0 ? single.sort((a, b) => b.total - a.total) : some;
}

/** Types with results for the words, most first. */
async function countElsewhere(
  services: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
): Promise<SearchPage['elsewhere']> {
  if (state.text.trim() === '') return [];
  const tokens = { ...everything, text: state.text };
  const counted = await Promise.all(
    projectTypes
      .filter((one) => one !== kind)
      .map(async (one) => ({ kind: one, total: await count(services, one, tokens) })),
  );
  return counted.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
}

const everything = parseState(new URLSearchParams());

/** The first projects by a sort order, and their total, for the home page. */
export async function top(
  { search }: AppServices,
  sort: Sort,
  limit: number,
): Promise<{ hits: Hit[]; total: number }> {
  const found = await search.search({ text: '', filter: null, sort, offset: 0, limit });
  return { hits: (await search.hits(found, 2)).map(slim), total: found.total };
}

/** The newest projects of one type. */
export async function newestOfKind(
  { search }: AppServices,
  kind: ProjectTypeInfo,
  limit: number,
): Promise<Hit[]> {
  const filter = tree(everything, kind);
  const found = await search.search({ text: '', filter, sort: 'newest', offset: 0, limit });
  return (await search.hits(found, 2)).map(slim);
}

const counts_ttl_ms = 60_000;
const cachedCounts = memoizeFor(counts_ttl_ms, async (search: AppServices['search']) => {
  const request = async (kind: ProjectTypeInfo) =>
    [kind.type, await count({ search }, kind, everything)] as const;
  return new Map<string, number>(await Promise.all(projectTypes.map(request)));
});

/** How many projects each type has, cached for a minute: every search page shows it. */
export const countsOf = ({ search }: Pick<AppServices, 'search'>): Promise<Map<string, number>> =>
  cachedCounts(search);
