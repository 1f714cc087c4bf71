import { type Status, statuses } from '#db/catalogue/projects/rules.ts';
import { issueTypes } from '#db/moderation/scanner/rules.ts';
import { manual_type } from '#db/moderation/technical-review/rules.ts';
import { type ReviewSearch, reviewSorts } from '#db/moderation/technical-review/shape.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';
import { reviewsPath } from './paths.ts';

export const reviews_per_page = 15;
export const replyStates = ['unreplied', 'replied'] as const;

/** What the list of technical review shows: the filters of its address, each empty for all. */
export interface ReviewView {
  type: string;
  status: Status | '';
  issue: string;
  reply: (typeof replyStates)[number] | '';
  sort: (typeof reviewSorts)[number];
  page: number;
}

const oneOf = <T extends string>(list: readonly T[], given: string | null): T | '' =>
  list.find((one) => one === given) ?? '';

/** Reads the list's address; what is unknown counts as not given. */
export const parseReviews = (params: URLSearchParams): ReviewView => ({
  type: oneOf(
    projectTypes.map(({ type }) => type),
    params.get('type'),
  ),
  status: oneOf(statuses, params.get('status')),
  issue: oneOf([...issueTypes, manual_type], params.get('issue')),
  reply: oneOf(replyStates, params.get('reply')),
  sort: oneOf(reviewSorts, params.get('sort')) || 'severity_desc',
  page: Math.min(Math.max(Math.trunc(Number(params.get('page'))) || 1, 1), 1_000),
});

/** The same as the API's search. */
export const searchOf = ({ type, status, issue, reply, sort, page }: ReviewView): ReviewSearch => ({
  limit: reviews_per_page,
  page: page - 1,
  filter: {
    project_type: type ? [type] : [],
    project_status: status ? [status] : [],
    issue_type: issue ? [issue] : [],
    replied_to: reply || null,
  },
  sort_by: sort,
});

/** The address of the list with these filters. */
export function reviewsAddress(
  view: ReviewView,
  change: Partial<Record<keyof ReviewView, string>> = {},
): string {
  const { page, ...rest } = view;
  const given = { ...rest, page: page === 1 ? '' : String(page), ...change };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  if (query.get('sort') === 'severity_desc') query.delete('sort');
  return query.size === 0 ? reviewsPath : `${reviewsPath}?${query}`;
}
