/** The query of a list inside a page, and the fields of its form. */
export interface ListState<Sort extends string> {
  text: string;
  sort: Sort;
  page: number;
}

/** The sort orders of a list; the first is the default. */
type Sorts<Sort extends string> = readonly [Sort, ...Sort[]];

/** Projects per page. */
export const pageSize = 20;

const max_text = 200;
/** The largest page number that is parsed; pages beyond the end redirect to the last one. */
const last_page = 10_000;

/**
 * Parses a query; invalid values count as absent, of repeated keys the first counts, so that no address is an error.
 */
export function parseList<Sort extends string>(query: URLSearchParams, sorts: Sorts<Sort>): ListState<Sort> {
  const page = Number(query.get('page') ?? '');
  return {
    text: (query.get('q') ?? '').trim().slice(0, max_text),
    sort: sorts.find((sort) => sort === query.get('s')) ?? sorts[0],
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, last_page) : 1,
  };
}

/** The query of a list, without defaults; equal states give equal queries. */
export function queryOf<Sort extends string>(
  { text, sort, page }: ListState<Sort>,
  [usual]: Sorts<Sort>,
): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  if (sort !== usual) query.set('s', sort);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}

/** The last page of a list, at least 1. */
export const lastPage = (total: number, size = pageSize): number => Math.max(1, Math.ceil(total / size));

/** Whether every word of `text` is a substring of some token; case-insensitive. */
export function matchesText(tokens: ReadonlyArray<string | null | undefined>, text: string): boolean {
  const all = tokens.join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
