import type { QueueFilter } from '#db/moderation/review/shape.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';

/** Projects of a page. Source: screens §A.10. */
export const queue_page_size = 15;

/** What the page of the queue shows, as it stands in its address. */
export interface QueueView {
  type: string;
  sort: 'oldest' | 'newest';
  text: string;
  page: number;
}

const types = [...projectTypes.map(({ type }) => type as string), 'none'];

/** The view that an address or a form asks for; what it cannot mean is left out. */
export function parseQueue(given: URLSearchParams): QueueView {
  const type = given.get('type') ?? '';
  const page = Number(given.get('page'));
  return {
    type: types.includes(type) ? type : '',
    sort: given.get('sort') === 'newest' ? 'newest' : 'oldest',
    text: (given.get('q') ?? '').replaceAll('\0', '').toWellFormed().trim().slice(0, 200),
    page: Number.isInteger(page) && page > 0 && page < 10_000 ? page : 1,
  };
}

/** The query of an address for the view, without what is usual. */
export function queueAddress({ type, sort, text, page }: QueueView): string {
  const query = new URLSearchParams();
  if (type) query.set('type', type);
  if (sort === 'newest') query.set('sort', sort);
  if (text) query.set('q', text);
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `?${query}` : '';
}

/** The filter that a view means. */
export const filterOf = ({ type, sort, text }: Omit<QueueView, 'page'>): QueueFilter => ({
  sort,
  ...(type && { project_type: type }),
  ...(text && { query: text }),
});
