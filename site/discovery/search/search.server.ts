import { type GameVersion, gameVersions } from '#db/catalogue/tags/read.ts';
import { nearestText } from '#db/discovery/search/postgres/nearest-words.ts';
import { queryTokens } from '#db/discovery/search/query/tokenize.ts';
import type { Sort } from '#db/discovery/search/sorts.ts';
import type { AppServices } from '../../platform/context.ts';
import type { ProjectTypeInfo } from '../../platform/paths/project-types.ts';
import { everything, filterTree } from './filter-tree.ts';
import { hasSides, knownOf } from './groups.ts';
import { type Hit, slim } from './hit.ts';
import { type Known, type QueryNotices, readAddress } from './query-notices.ts';
import { recognized } from './recognized-words.ts';
import { type RelaxSuggestion, relaxSuggestions, withoutEverything } from './relax-suggestions.ts';
import { type FilterCounts, searchCounts } from './search-counts.server.ts';
import { displayModeOf, lastPage, type SearchState, shownSize } from './state.ts';
import { type CountedPlace, suggestedPlaces } from './suggest-places.server.ts';

/** Everything on a search page that depends on its address. */
export interface SearchPage {
  kind: ProjectTypeInfo;
  state: SearchState;
  /** The search for the words that became filters; null when none did. */
  typed: SearchState | null;
  /** Projects a page, as the view of the request shows them. */
  shown: number;
  hits: Hit[];
  total: number;
  /** How many projects each type has, for the words if there are any. */
  totals: ReadonlyMap<string, number>;
  /** How many projects each filter option gives. */
  counts: FilterCounts;
  notes: QueryNotices;
  /** The requested page when it does not exist: `state` has the last one. */
  beyond: number | null;
  /** What to remove when there are no results, and how many that gives. */
  loosen: Array<RelaxSuggestion & { total: number }>;
  /** The search for the nearest words, when nothing has all words and something has these. */
  nearest: SearchState | null;
  /** Types and categories that the words name, when there are no results. */
  places: CountedPlace[];
  versions: readonly GameVersion[];
}

/** Parses the address of a search page and searches: a page beyond the end becomes the last, never an error. */
export async function loadSearch(
  { services, messages }: Pick<App.Locals, 'services' | 'messages'>,
  kind: ProjectTypeInfo,
  query: URLSearchParams,
): Promise<SearchPage> {
  const versions = await gameVersions(services.sql);
  const known = knownOf(kind.type, versions);
  const { state: read, notes } = readAddress(query, known);
  const { state, typed } = await understood(services, kind, read, { known, versions });
  const shown = shownSize(displayModeOf(query, kind.type), state.size);
  const [first, { totals, counts }] = await Promise.all([
    find(services, kind, state, shown),
    searchCounts(services, kind.type, state, versions),
  ]);
  let { hits, total } = first;
  const { left_out } = first;
  const last = lastPage(total, shown);
  const beyond = state.page > last ? state.page : null;
  if (beyond) {
    state.page = last;
    ({ hits, total } = await find(services, kind, state, shown));
  }
  const none = total === 0;
  const [loosen, nearest, places] = await Promise.all([
    none ? countLoosened(services, kind, state) : [],
    none || left_out.length > 0 ? nearestSearch(services, kind, state) : null,
    none ? suggestedPlaces(services, messages, state.text, undefined) : [],
  ]);
  const found = { kind, state, typed, shown, hits, total, totals, counts, notes, versions };
  return { ...found, beyond: total > 0 ? beyond : null, loosen, nearest, places };
}

/**
 * The search that words mean: with a version, or where they find nothing, those that name versions, loaders, environments
 * and licenses are filters, also where they find something only without one of these words. Else they may be a name, as Fabric API.
 */
async function understood(
  services: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
  { known, versions }: { known: Known; versions: readonly GameVersion[] },
): Promise<Pick<SearchPage, 'state' | 'typed'>> {
  const numbers = versions.map(({ version }) => version);
  const meant = state.words ? null : recognized(state, known, numbers, { has_sides: hasSides(kind.type) });
  if (!meant || !(meant.is_certain || (await isMissed(services, kind, state, meant.state))))
    return { state, typed: null };
  return { state: meant.state, typed: { ...state, words: true } };
}

/** Whether a search finds nothing, or only without a word that `meant` has as a filter. */
async function isMissed(
  services: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
  meant: SearchState,
): Promise<boolean> {
  const { total, left_out } = await lookUp(services, kind, state);
  const words = new Set(queryTokens(meant.text));
  return total === 0 || left_out.some((word) => !words.has(word));
}

/** The search for the nearest words that something has; null where no word is near one. */
async function nearestSearch(
  services: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
): Promise<SearchState | null> {
  const text = await nearestText(services.sql, state.text);
  if (text === null) return null;
  const nearest = { ...state, text, page: 1 };
  const { total, left_out } = await lookUp(services, kind, nearest);
  return total > 0 && left_out.length === 0 ? nearest : null;
}

/** The hits of a search and their total. */
async function find(
  { search, settings }: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
  limit: number,
): Promise<{ hits: Hit[]; total: number; left_out: readonly string[] }> {
  const found = await search.search({
    text: state.text,
    filter: filterTree(state, kind.type),
    sort: state.sort,
    offset: (state.page - 1) * limit,
    limit,
  });
  const hits = (await search.hits(found, 2, settings)).map(slim);
  return { hits, total: found.total, left_out: found.left_out ?? [] };
}

/** How many projects a search finds, and without which of its words. */
async function lookUp(
  { search }: Pick<AppServices, 'search'>,
  kind: ProjectTypeInfo,
  state: SearchState,
): Promise<{ total: number; left_out: readonly string[] }> {
  const filter = filterTree(state, kind.type);
  const query = { text: state.text, filter, sort: 'downloads', offset: 0, limit: 1 } as const;
  const { total, left_out = [] } = await search.search(query);
  return { total, left_out };
}

/** What to remove and what that gives; everything when nothing less helps. */
async function countLoosened(
  services: AppServices,
  kind: ProjectTypeInfo,
  state: SearchState,
): Promise<SearchPage['loosen']> {
  const counted = await Promise.all(
    [...relaxSuggestions(state, kind.type), withoutEverything(state)].map(async (one) => ({
      ...one,
      total: (await lookUp(services, kind, one.state)).total,
    })),
  );
  const some = counted.filter(({ total }) => total > 0);
  const single = some.filter(({ what }) => what !== 'all' && what !== 'everything');
  return single.length > 0 ? single.sort((a, b) => b.total - a.total) : some.slice(0, 1);
}

/** The first projects by a sort order, and their total, for the home page. */
export async function top(
  { search, settings }: AppServices,
  sort: Sort,
  limit: number,
): Promise<{ hits: Hit[]; total: number }> {
  const found = await search.search({ text: '', filter: null, sort, offset: 0, limit });
  return { hits: (await search.hits(found, 2, settings)).map(slim), total: found.total };
}

/** The newest projects of one type. */
export async function newestOfKind(
  { search, settings }: AppServices,
  kind: ProjectTypeInfo,
  limit: number,
): Promise<Hit[]> {
  const filter = filterTree(everything, kind.type);
  const found = await search.search({ text: '', filter, sort: 'newest', offset: 0, limit });
  return (await search.hits(found, 2, settings)).map(slim);
}
