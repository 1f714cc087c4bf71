import { type ProfileSort, profileSorts } from '#db/projects/profile.ts';

/** What the list of a profile is asked for: the query of its address, and the fields of its form. */
export interface ListState {
  text: string;
  sort: ProfileSort;
  page: number;
}

export const pageSize = 20;
const [defaultSort] = profileSorts;

/** Reads a query; what it does not understand counts as absent, so that no address is an error. */
export function parseList(query: URLSearchParams): ListState {
  const page = Number.parseInt(query.get('page') ?? '', 10);
  return {
    text: (query.get('q') ?? '').slice(0, 200),
    sort: profileSorts.find((sort) => sort === query.get('s')) ?? defaultSort,
    page: page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** The query of a list, without what is the default; the same state always gives the same text. */
export function queryOf({ text, sort, page }: ListState): string {
  const query = new URLSearchParams();
  if (text.trim() !== '') query.set('q', text.trim());
  if (sort !== defaultSort) query.set('s', sort);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}
