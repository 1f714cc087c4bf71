import { type Sort, sorts } from '#db/discovery/search/sorts.ts';
import { queryOf } from '../../platform/lists/list-query.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { exactDate } from '../../platform/text/dates.ts';
import { exactNumber, relativeDate, relativeStep } from '../../platform/text/format.ts';
import { count } from '../../platform/text/short-numbers.ts';
import { type Hit, hitPath } from '../search/hit.ts';
import type { ResultPage } from '../search/titles.ts';
import type { Sample } from './home.server.ts';
import type { CompactProjectView, QuickSearchView } from './view.ts';

/** A project as one short line, with the value for the sort order at its end. */
export function compactProjectView(
  { messages, t, link, now }: ResultPage,
  hit: Hit,
  sort: Sort,
): CompactProjectView {
  const figure = (key: 'project.followers' | 'project.downloads', number: number) => ({
    text: count(messages, number),
    tip: t(key, { count: number, shown: exactNumber(messages, number) }),
  });
  const moment = (at: string) => ({
    text: relativeDate(messages, at, now),
    tip: exactDate(messages, at),
    at,
    step: relativeStep(at, now),
  });
  const figures = {
    relevance: () => figure('project.downloads', hit.downloads),
    downloads: () => figure('project.downloads', hit.downloads),
    follows: () => figure('project.followers', hit.follows),
    newest: () => moment(hit.date_created),
    updated: () => moment(hit.date_modified),
  } satisfies Record<Sort, () => CompactProjectView['figure']>;
  return {
    id: hit.project_id,
    href: link(hitPath(hit)),
    title: hit.title,
    description: hit.description,
    icon: hit.icon_url,
    save: t('results.save', { name: bidiIsolated(hit.title) }),
    figure: figures[sort](),
  };
}

/** The view of a quick search. */
export const quickSearchView = (page: ResultPage, { state, hits, total }: Sample): QuickSearchView => ({
  count: page.t('home.live_found', { count: total, shown: exactNumber(page.messages, total) }),
  none: total === 0 ? page.t('home.live_none') : null,
  hits: hits.map((hit) => compactProjectView(page, hit, state.sort)),
  more: { text: page.t('home.live_more'), href: page.link(`/search${queryOf(state, sorts)}`) },
});
