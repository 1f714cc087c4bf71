import { sorts } from '#db/discovery/search/sorts.ts';
import {
  type ListName,
  listNames,
  lists,
  max_text,
  opposites,
  parseState,
  type RequestedType,
  type SearchState,
  sizes,
  valuesOf,
} from './state.ts';

/** Parts of an address that the search ignored, for notices on the page. */
export interface QueryNotices {
  /** Values that are no filters here, truncated when long. */
  ignored: string[];
  /** How many more there were. */
  more: number;
  /** How many other parts say nothing here: unknown keys, and values that a key does not have. */
  unknown: number;
  /** Included and excluded at once: the state excludes them, `instead` includes them. */
  both: Array<{ list: RequestedType; value: string; instead: SearchState }>;
  /** Whether some words were ignored. */
  cut: boolean;
}

/** The valid list values of one type; environments are the same for all. */
export type Known = Record<'categories' | 'loaders' | 'versions', ReadonlySet<string>>;

const max_shown = 4;
const max_shown_length = 40;
const max_words = 12;
/** Keys that an address may carry for other purposes: language, view, tracking, installing into a server. */
const foreign = /^(hl|view|sid|shi|ref|utm_\w+|mtm_\w+|pk_\w+|fbclid|gclid|msclkid|ref_src)$/;
const whole = /^[1-9]\d{0,8}$/;
const single = new Map<string, (text: string) => boolean>(
  Object.entries({
    q: () => true,
    l: (text: string) => /^open_source(:true)?$/.test(text),
    h: (text: string) => text === '1',
    w: (text: string) => text === '1',
    s: (text: string) => (sorts as readonly string[]).includes(text),
    m: (text: string) => sizes.includes(Number(text)),
    page: (text: string) => whole.test(text),
    o: (text: string) => text === '0' || whole.test(text),
  }),
);
const fieldOf = new Map<string, ListName>(listNames.map((name) => [lists[name], name]));

/**
 * The state of an address, with only valid values of its type, and what was ignored: unknown keys and values, a
 * single-value key given twice, values both included and excluded, too many words. Pure.
 */
export function readAddress(
  query: URLSearchParams,
  known: Known,
): { state: SearchState; notes: QueryNotices } {
  const sides = new Set(['client', 'server']);
  const knownOf = (name: ListName): ReadonlySet<string> => {
    const list = name.replace('not_', '') as RequestedType;
    return list === 'sides' ? sides : known[list];
  };
  const state = parseState(query);
  for (const name of listNames) state[name] = state[name].filter((value) => knownOf(name).has(value));
  const both = (Object.keys(opposites) as RequestedType[]).flatMap((list) =>
    valuesOf(query, list)
      .filter((value) => state[opposites[list]].includes(value))
      .map((value) => ({ list, value, instead: suggestInstead(state, list, value) })),
  );
  const wrongValues = new Set<string>();
  let unknown = 0;
  for (const key of new Set(query.keys())) {
    if (foreign.test(key)) continue;
    const values = query.getAll(key).filter((text) => text !== '');
    const list = fieldOf.get(key);
    const taken = list
      ? new Set([...valuesOf(query, list), ...(list === 'loaders' ? valuesOf(query, 'categories') : [])])
      : null;
    const isGood = (value: string, position: number) =>
      list
        ? taken!.has(bare(value)) &&
          (knownOf(list).has(bare(value)) || state.categories.includes(bare(value)))
        : position === 0 && (single.get(key)?.(value) ?? false);
    const wrong = values.filter((value, position) => !isGood(value, position));
    if (list) for (const value of wrong) wrongValues.add(displayValue(bare(value)));
    else unknown += wrong.length;
  }
  const ignored = [...wrongValues];
  return {
    state,
    notes: {
      ignored: ignored.slice(0, max_shown),
      more: Math.max(0, ignored.length - max_shown),
      unknown,
      both,
      cut:
        (query.get('q') ?? '').length > max_text ||
        new Set(state.text.toLowerCase().split(/\s+/)).size > max_words,
    },
  };
}

const bare = (value: string): string => value.replace(/^categories:/, '');
const suggestInstead = (state: SearchState, list: RequestedType, value: string): SearchState => ({
  ...state,
  page: 1,
  [list]: [...state[list], value],
  [opposites[list]]: state[opposites[list]].filter((one) => one !== value),
});

const displayValue = (text: string): string =>
  text.length > max_shown_length ? `${text.slice(0, max_shown_length - 1)}…` : text;
