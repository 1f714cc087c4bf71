import { type Sort, sorts } from '#db/discovery/search/sorts.ts';
import { type DisplayMode, type DisplayType, defaults } from '../../platform/cosmetics/cosmetics.ts';

/** The state of a search page: the query of its address, and the fields of its form. Source: screens §A.4. */
export interface SearchState {
  text: string;
  /** Whether words that name versions, loaders, environments or licenses are searched for like others. */
  words?: true;
  /** Categories included (all; of resolutions and performance any) and excluded. */
  categories: string[];
  not_categories: string[];
  /** Loaders included (any) and excluded. */
  loaders: string[];
  not_loaders: string[];
  /** Game versions included (any) and excluded. */
  versions: string[];
  not_versions: string[];
  /** Sides included and excluded: client, server. */
  sides: string[];
  not_sides: string[];
  open_source: boolean;
  /** Whether the form lists snapshots too. */
  all_versions: boolean;
  sort: Sort;
  page: number;
  /** The wanted number of projects a page; `shownSize` gives the number that a view shows. */
  size: number;
}

const full_rows = [6, 12, 18, 24, 48, 96] as const;
/** The page sizes of each view. Grid and gallery have three columns at most widths, so theirs fill the last row. */
export const sizesOf = { list: [5, 10, 15, 20, 50, 100], grid: full_rows, gallery: full_rows } as const;
/** What addresses may ask for: every size of every view. Source: screens §A.4. */
export const sizes: readonly number[] = [5, 6, 10, 12, 15, 16, 18, 20, 24, 48, 50, 96, 100];
export const defaultSize = 20;

/** The number of projects a page that `view` shows for a wanted one: the nearest that it offers. */
export const shownSize = (view: DisplayMode, wanted: number): number =>
  (sizesOf[view] as readonly number[]).reduce((best, one) =>
    Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best,
  );

/** The view of a type's list before a visitor chooses another. */
export const defaultView = (type: DisplayType): DisplayMode => defaults.searchDisplayMode[type];

/** The view that a request for results names, else the default. */
export const displayModeOf = (query: URLSearchParams, type: DisplayType): DisplayMode => {
  const named = query.get('view');
  return named === 'list' || named === 'grid' || named === 'gallery' ? named : defaultView(type);
};
/** The largest offset that search accepts. Source: search §2. */
const max_offset = 10_000;
const max_values = 64;
export const max_text = 2000;

/** Form field and query parameter of each list. */
export const lists = {
  categories: 'f',
  not_categories: 'nf',
  loaders: 'g',
  not_loaders: 'ng',
  versions: 'v',
  not_versions: 'nv',
  sides: 'e',
  not_sides: 'ne',
} as const;
export type ListName = keyof typeof lists;
export const listNames = Object.keys(lists) as ListName[];

/** The exclude list of each include list. */
export const opposites = {
  categories: 'not_categories',
  loaders: 'not_loaders',
  versions: 'not_versions',
  sides: 'not_sides',
} as const satisfies Partial<Record<ListName, ListName>>;
export type RequestedType = keyof typeof opposites;
const requestedNames = Object.keys(opposites) as RequestedType[];

export const isResolution = (name: string): boolean => /^\d+x[+-]?$/.test(name);

/** The values of a list in a query; `categories:magic` in legacy addresses means `magic`. */
export const valuesOf = (query: URLSearchParams, name: ListName): string[] => {
  const own = query.getAll(lists[name]);
  // legacy addresses have resolutions among the loaders
  const all =
    name === 'categories'
      ? [...own, ...query.getAll('g').filter(isResolution)]
      : name === 'loaders'
        ? own.filter((text) => !isResolution(text))
        : own;
  return [...new Set(all.map((text) => text.replace(/^categories:/, '')))]
    .filter((text) => text !== '' && text.length <= max_values)
    .slice(0, max_values);
};

/** Parses a query; invalid parts count as absent, so that no address is an error. */
export function parseState(query: URLSearchParams): SearchState {
  const read = Object.fromEntries(listNames.map((name) => [name, valuesOf(query, name)])) as Record<
    ListName,
    string[]
  >;
  for (const name of ['sides', 'not_sides'] as const) read[name] = read[name].filter(isSide);
  for (const name of requestedNames)
    read[name] = read[name].filter((one) => !read[opposites[name]].includes(one));
  const number = (name: string) => Number.parseInt(query.get(name) ?? '', 10);
  const size = sizes.find((one) => one === number('m')) ?? defaultSize;
  const page = query.has('page') ? number('page') : Math.floor(number('o') / size) + 1;
  return {
    ...read,
    text: (query.get('q') ?? '').slice(0, max_text),
    ...(query.get('w') === '1' ? { words: true as const } : {}),
    open_source: /^open_source(:true)?$/.test(query.get('l') ?? ''),
    all_versions: query.get('h') === '1',
    sort: sorts.find((sort) => sort === query.get('s')) ?? 'relevance',
    page: page >= 1 && page <= max_offset ? page : 1,
    size,
  };
}

const isSide = (side: string) => side === 'client' || side === 'server';

/** The query of a state, without defaults; equal states give equal queries. */
export function queryOf(state: SearchState): string {
  const query = new URLSearchParams();
  if (state.text.trim() !== '') query.set('q', state.text.trim());
  if (state.text.trim() !== '' && state.words) query.set('w', '1');
  for (const name of listNames) for (const value of state[name]) query.append(lists[name], value);
  if (state.open_source) query.set('l', 'open_source');
  if (state.all_versions) query.set('h', '1');
  if (state.sort !== 'relevance') query.set('s', state.sort);
  if (state.size !== defaultSize) query.set('m', String(state.size));
  if (state.page > 1) query.set('page', String(state.page));
  return query.toString();
}

/** The address of `state`; `hl` is the language in the address. */
export const addressOf = (base: string, state: SearchState, hl: string | null): string => {
  const query = new URLSearchParams(queryOf(state));
  if (hl) query.set('hl', hl);
  return query.size === 0 ? base : `${base}?${query}`;
};

/** The state without any filter; words, order and size stay. */
export const cleared = (state: SearchState): SearchState => ({
  ...state,
  ...Object.fromEntries(listNames.map((name) => [name, []])),
  open_source: false,
  page: 1,
});

/** Whether any filter is active. */
export const isFiltered = (state: SearchState): boolean =>
  state.open_source || listNames.some((name) => state[name].length > 0);

/** The last accessible page of `total` projects; 1 for none. */
export const lastPage = (total: number, size: number): number =>
  Math.max(1, Math.min(Math.ceil(total / size), Math.floor(max_offset / size)));
