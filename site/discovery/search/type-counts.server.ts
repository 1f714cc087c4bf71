import type { CountGroup } from '#db/discovery/search/engine.ts';
import { memoizeFor } from '#db/platform/runtime/memoize.ts';
import type { AppServices } from '../../platform/context.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';
import { everything, filterTree } from './filter-tree.ts';
import type { NamedPlace } from './named-places.ts';

/** The project types as options to count. */
export const allTypes: CountGroup = {
  filter: null,
  options: projectTypes.map(({ type }) => filterTree(everything, type)),
};

/** The counts of `allTypes` by type; a type that a work limit left out is missing. */
export const typeCounts = (counts: ReadonlyArray<number | null>): Map<string, number> =>
  new Map(
    projectTypes.flatMap(({ type }, at) => {
      const count = counts[at] ?? null;
      return count === null ? [] : [[type, count] as const];
    }),
  );

/** How many projects of each type a text finds. */
async function hitsByType(
  { search }: Pick<AppServices, 'search'>,
  text: string,
): Promise<Map<string, number>> {
  const { counts } = await search.count({ text, groups: [allTypes] });
  return typeCounts(counts[0]!);
}

/** How many projects each place has, in their order. */
export async function countPlaces(
  { search }: Pick<AppServices, 'search'>,
  places: ReadonlyArray<Pick<NamedPlace, 'kind' | 'category'>>,
): Promise<number[]> {
  if (places.length === 0) return [];
  const options = places.map(({ kind, category }) =>
    filterTree({ ...everything, categories: category === null ? [] : [category] }, kind.type),
  );
  const { counts } = await search.count({ text: '', groups: [{ filter: null, options }] });
  return places.map((_, at) => counts[0]![at] ?? 0);
}

const counts_ttl_ms = 60_000;
const cachedCounts = memoizeFor(counts_ttl_ms, (search: AppServices['search']) => hitsByType({ search }, ''));

/** How many projects each type has, cached for a minute: every search page shows it. */
export const countsOf = ({ search }: Pick<AppServices, 'search'>): Promise<Map<string, number>> =>
  cachedCounts(search);
