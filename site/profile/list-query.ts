/** What a list inside a page is asked for: the query of its address, and the fields of its form. */
export interface ListState<Sort extends string> {
  text: string;
  sort: Sort;
  page: number;
}

/** The orders a list can be asked for in; the first is the one it has unasked. */
type Sorts<Sort extends string> = readonly [Sort, ...Sort[]];

/** Projects on one page. */
export const pageSize = 20;

const max_text = 200;
/** Pages beyond this are asked for by nobody; the page itself leads from it to its last one. */
const last_page = 10_000;

/**
 * Reads a query; what it does not understand counts as absent, of what stands there twice the first counts, so that
 * no address is an error.
 */
export function parseList<Sort extends string>(query: URLSearchParams, sorts: Sorts<Sort>): ListState<Sort> {
  const page = Number(query.get('page') ?? '');
  return {
    text: (query.get('q') ?? '').trim().slice(0, max_text),
    sort: sorts.find((sort) => sort === query.get('s')) ?? sorts[0],
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, last_page) : 1,
  };
}

/** The query of a list, without what is the default; the same state always gives the same text. */
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

/** The last page of a list, at least the first. */
export const lastPage = (total: number, size = pageSize): number => Math.max(1, Math.ceil(total / size));

/** Whether every word of `text` stands somewhere in `words`; letter case does not count. */
export function matchesText(tokens: ReadonlyArray<string | null | undefined>, text: string): boolean {
  const all = tokens.join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
