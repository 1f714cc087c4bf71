import type { ProjectType } from '#db/catalogue/tags/rules.ts';
import type { FilterTree } from '#db/discovery/search/engine.ts';
import { parseFilter } from '#db/discovery/search/query/query-language.ts';
import { facetsOf } from './facets.ts';
import { parseState, type RequestedType, type SearchState } from './state.ts';

const parsed = (facets: string[][]): FilterTree | null => parseFilter({ facets: JSON.stringify(facets) }, 2);

/** The state of an address without a query. */
export const everything: SearchState = parseState(new URLSearchParams());

/** The engine's filter for a state: the projects of one type that have what the state asks for. */
export const filterTree = (state: SearchState, type: ProjectType): FilterTree =>
  parsed(facetsOf(state, type))!;

const options = new Map<string, FilterTree>();

/** The engine's filter for one option alone, of any type. `value` must be one of the catalog's. */
export function optionTree(
  list: RequestedType | 'open_source',
  value: string,
  type: ProjectType,
): FilterTree {
  const key = `${type}\n${list}\n${value}`;
  let tree = options.get(key);
  if (!tree) {
    const state = {
      ...everything,
      ...(list === 'open_source' ? { open_source: true } : { [list]: [value] }),
    };
    tree = parsed(facetsOf(state, type).slice(1))!; // without its type
    options.set(key, tree);
  }
  return tree;
}
