import { isOneOfMany } from './facets.ts';
import { cleared, isFiltered, type ListName, listNames, type SearchState } from './state.ts';

/** One thing to remove from a search without results, and the remaining search. */
export interface RelaxSuggestion {
  /** The lists to clear; `text` are the words, `all` every filter, `everything` both. */
  what: ListName | 'text' | 'open_source' | 'all' | 'everything';
  /** The removed values. */
  values: string[];
  state: SearchState;
}

const max_suggestions = 8;

/** The search without words and filters. */
export const withoutEverything = (state: SearchState): RelaxSuggestion => ({
  what: 'everything',
  values: [],
  state: { ...cleared(state), text: '' },
});

/**
 * The possible relaxations of `state`, one at a time: alternatives (game versions, loaders, resolutions) as a whole,
 * everything else one by one; then the words, then all filters. At most 8, the most restrictive first.
 */
export function relaxSuggestions(state: SearchState, type: string): RelaxSuggestion[] {
  const without = (what: ListName, values: string[]): RelaxSuggestion => ({
    what,
    values,
    state: { ...state, page: 1, [what]: state[what].filter((one) => !values.includes(one)) },
  });
  const filters = listNames.flatMap((name) => {
    const any = (value: string) =>
      name === 'versions' || name === 'loaders' || (name === 'categories' && isOneOfMany(type, value));
    const together = state[name].filter(any);
    const alone = state[name].filter((value) => !any(value));
    return [
      ...(together.length > 0 ? [without(name, together)] : []),
      ...alone.map((value) => without(name, [value])),
    ];
  });
  if (state.open_source) {
    filters.push({ what: 'open_source', values: [], state: { ...state, page: 1, open_source: false } });
  }
  const found = filters.slice(0, max_suggestions - 2);
  const hasText = state.text.trim() !== '';
  if (hasText && isFiltered(state))
    found.push({ what: 'text', values: [state.text.trim()], state: { ...state, page: 1, text: '' } });
  if (filters.length > 1) found.push({ what: 'all', values: [], state: cleared(state) });
  return found;
}
