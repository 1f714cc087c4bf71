import type { Messages } from '#content/messages.ts';
import type { ListName, SearchState } from './state.ts';

/** One active filter, and the search without it. */
export interface Chip {
  /** The name of the included or excluded value. */
  name: string;
  out: boolean;
  without: SearchState;
}

/** The label of a list value. */
export function valueName(
  { t }: Messages,
  names: ReadonlyMap<string, string>,
  list: ListName,
  value: string,
): string {
  if (list !== 'sides' && list !== 'not_sides') return names.get(value) ?? value;
  return value === 'client' ? t('search.client') : t('search.server');
}

/** In the order of a sentence: what it is for, what it is, then what it is not. */
const order: readonly ListName[] = [
  'versions',
  'loaders',
  'categories',
  'sides',
  'not_versions',
  'not_loaders',
  'not_categories',
  'not_sides',
];

/** The active filters of a search. */
export function chipsOf(messages: Messages, names: ReadonlyMap<string, string>, state: SearchState): Chip[] {
  const chips = order.flatMap((list) =>
    state[list].map((value) => ({
      name: valueName(messages, names, list, value),
      out: list.startsWith('not_'),
      without: { ...state, page: 1, [list]: state[list].filter((one) => one !== value) },
    })),
  );
  if (!state.open_source) return chips;
  const name = messages.t('search.open_source');
  return [...chips, { name, out: false, without: { ...state, page: 1, open_source: false } }];
}
