import type { GameVersion } from '#db/catalogue/tags/read.ts';
import type { ProjectType } from '#db/catalogue/tags/rules.ts';
import type { CountGroup } from '#db/discovery/search/engine.ts';
import type { AppServices } from '../../platform/context.ts';
import { isOneOfMany } from './facets.ts';
import { filterTree, optionTree } from './filter-tree.ts';
import { categoriesFor, hasSides, listedVersions, loadersFor } from './groups.ts';
import { isResolution, lists, type RequestedType, type SearchState } from './state.ts';
import { allTypes, countsOf, typeCounts } from './type-counts.server.ts';

/**
 * How many projects each filter option gives, by form field and value: with the option added to the search, and of
 * alternatives (game versions, loaders, resolutions) with this one alone. null: not known, a work limit left it out.
 */
export type FilterCounts = ReadonlyMap<string, ReadonlyMap<string, number | null>>;

type Option = [list: RequestedType | 'open_source', value: string];

/** Options that are added to the same search. */
interface OptionGroup {
  state: SearchState;
  options: Option[];
}

function optionGroups(
  state: SearchState,
  type: ProjectType,
  versions: readonly GameVersion[],
): OptionGroup[] {
  const optionsOf = (list: Option[0], values: readonly string[]) =>
    values.map((value): Option => [list, value]);
  const categories = categoriesFor(type).map(({ name }) => name);
  const alternatives = categories.filter((name) => isOneOfMany(type, name));
  const impacts = alternatives.filter((name) => !isResolution(name));
  const withoutCategories = (names: readonly string[]) => ({
    ...state,
    categories: state.categories.filter((name) => !names.includes(name)),
  });
  const some = (names: readonly string[]): OptionGroup => ({
    state: withoutCategories(names),
    options: optionsOf('categories', names),
  });
  return [
    { state: { ...state, versions: [] }, options: optionsOf('versions', listedVersions(versions, state)) },
    {
      state: { ...state, loaders: [] },
      options: optionsOf(
        'loaders',
        loadersFor(type).map(({ name }) => name),
      ),
    },
    some(alternatives.filter(isResolution)),
    some(impacts),
    {
      state,
      options: [
        ...optionsOf(
          'categories',
          categories.filter((name) => !alternatives.includes(name)),
        ),
        ...(hasSides(type) ? optionsOf('sides', ['client', 'server']) : []),
        ['open_source', 'open_source'],
      ],
    },
  ].filter(({ options }) => options.length > 0) as OptionGroup[];
}

/** What a search page counts. */
export interface SearchCounts {
  /** How many projects each type has, for the words if there are any. */
  totals: ReadonlyMap<string, number>;
  counts: FilterCounts;
}

/** Counts for one search: every option of its filters, and the hits of its words in every type. */
export async function searchCounts(
  services: Pick<AppServices, 'search'>,
  type: ProjectType,
  state: SearchState,
  versions: readonly GameVersion[],
): Promise<SearchCounts> {
  const groups = optionGroups(state, type, versions);
  const asked = groups.map(
    ({ state: base, options }): CountGroup => ({
      filter: filterTree(base, type),
      options: options.map(([list, value]) => optionTree(list, value, type)),
    }),
  );
  const { text } = state;
  const isBlank = text.trim() === '';
  const [found, known] = await Promise.all([
    services.search.count({ text, groups: isBlank ? asked : [...asked, allTypes] }),
    isBlank ? countsOf(services) : null,
  ]);
  const fields = new Map<string, Map<string, number | null>>();
  for (const [at, { options }] of groups.entries())
    for (const [place, [list, value]] of options.entries()) {
      const field = list === 'open_source' ? 'l' : lists[list];
      const counted = fields.get(field) ?? new Map<string, number | null>();
      fields.set(field, counted.set(value, found.counts[at]![place] ?? null));
    }
  return { totals: known ?? typeCounts(found.counts[groups.length]!), counts: fields };
}
