import { type Sort, sorts } from '#db/search/engine.ts';

/** What a search screen is asked for: the query of its address, and the fields of its form. Source: screens A.4. */
export interface SearchState {
  text: string;
  /** Categories wanted (each) and left out. */
  categories: string[];
  not_categories: string[];
  /** Loaders wanted (any) and left out. */
  loaders: string[];
  not_loaders: string[];
  /** Game versions wanted (any). */
  versions: string[];
  /** Where it must run: client, server. */
  sides: string[];
  open_source: boolean;
  /** Whether the form lists snapshots too. */
  all_versions: boolean;
  sort: Sort;
  page: number;
  size: number;
}

export const sizes = [5, 10, 15, 20, 50, 100] as const;
export const defaultSize = 20;
const most = 64;

/** Field of the form and query name, for each list. */
export const lists = {
  categories: 'f',
  not_categories: 'nf',
  loaders: 'g',
  not_loaders: 'ng',
  versions: 'v',
  sides: 'e',
} as const;
export type ListName = keyof typeof lists;

/** Reads a query; what it does not understand counts as absent, so that no address is an error. */
export function parseState(query: URLSearchParams): SearchState {
  const values = (name: ListName) => [
    ...new Set(
      query
        .getAll(lists[name])
        .filter((text) => text !== '' && text.length <= 64)
        .slice(0, most),
    ),
  ];
  const number = (name: string) => Number.parseInt(query.get(name) ?? '', 10);
  const page = number('page');
  const size = number('m');
  const left = { categories: values('not_categories'), loaders: values('not_loaders') };
  return {
    text: (query.get('q') ?? '').slice(0, 2000),
    categories: values('categories').filter((name) => !left.categories.includes(name)),
    not_categories: left.categories,
    loaders: values('loaders').filter((name) => !left.loaders.includes(name)),
    not_loaders: left.loaders,
    versions: values('versions'),
    sides: values('sides').filter((side) => side === 'client' || side === 'server'),
    open_source: query.get('l') === 'open_source',
    all_versions: query.get('h') === '1',
    sort: sorts.find((sort) => sort === query.get('s')) ?? 'relevance',
    page: page >= 1 && page <= 10_000 ? page : 1,
    size: sizes.find((one) => one === size) ?? defaultSize,
  };
}

/** The query of a state, without what is the default; the same state always gives the same text. */
export function queryOf(state: SearchState): string {
  const query = new URLSearchParams();
  if (state.text.trim() !== '') query.set('q', state.text.trim());
  for (const [name, field] of Object.entries(lists)) {
    for (const value of state[name as ListName]) query.append(field, value);
  }
  if (state.open_source) query.set('l', 'open_source');
  if (state.all_versions) query.set('h', '1');
  if (state.sort !== 'relevance') query.set('s', state.sort);
  if (state.size !== defaultSize) query.set('m', String(state.size));
  if (state.page > 1) query.set('page', String(state.page));
  return query.toString();
}

const sideValues = ['required', 'optional'];

/**
 * The facets of the API that stand for a state: groups are AND-ed, the items of one are alternatives. Categories all,
 * resolutions, loaders, game versions and sides any of their values. Source: search §2; screens A.4.
 */
export function facetsOf(state: SearchState, type: string): string[][] {
  const resolutions = state.categories.filter(isResolution);
  const runs = (key: string) => sideValues.map((value) => `${key}:${value}`);
  return [
    [`project_types=${type}`],
    ...state.categories.filter((name) => !isResolution(name)).map((name) => [`categories = ${quoted(name)}`]),
    resolutions.map((name) => `categories = ${quoted(name)}`),
    ...state.not_categories.map((name) => [`categories != ${quoted(name)}`]),
    state.loaders.map((name) => `categories = ${quoted(name)}`),
    ...state.not_loaders.map((name) => [`any_loader != ${quoted(name)}`]),
    state.versions.map((name) => `game_versions = ${quoted(name)}`),
    ...state.sides.map((side) => runs(`${side}_side`)),
    ...(state.open_source ? [['open_source:true']] : []),
  ].filter((group) => group.length > 0);
}

const isResolution = (name: string): boolean => /^\d+x[+-]?$/.test(name);
const quoted = (name: string): string => `"${name.replace(/[\\"]/g, '\\$&')}"`;
