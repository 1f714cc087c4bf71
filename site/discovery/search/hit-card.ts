import { isLoader, sortCategories } from '#db/catalogue/tags/rules.ts';
import type { Sort } from '#db/discovery/search/sorts.ts';
import type { ProjectTypeInfo } from '../../platform/paths/project-types.ts';
import { organizationPath, userPath } from '../../platform/paths/routes.ts';
import { exactDate } from '../../platform/text/dates.ts';
import { relativeDate, tagName } from '../../platform/text/format.ts';
import { count } from '../../platform/text/short-numbers.ts';
import { loadersFor } from './groups.ts';
import { type Hit, pictureOf } from './hit.ts';
import type { ResultPage } from './titles.ts';
import type { HitView } from './view.ts';

interface CardInput {
  hit: Hit;
  kind: ProjectTypeInfo;
  /** Its position in the list, from 0. */
  index: number;
  sort: Sort;
}

/** Images visible before scrolling, in views where images matter. */
const above_the_fold = 3;
const isAboveTheFold = ({ type }: ProjectTypeInfo): boolean => type === 'shader' || type === 'resourcepack';

/** One search result as a finished view; the date is that of the sort order. */
export function hitCard({ messages, link, now }: ResultPage, { hit, kind, index, sort }: CardInput): HitView {
  const tags = sortCategories(hit.display_categories);
  const choice = loadersFor(kind.type).length > 1;
  const at = sort === 'newest' ? hit.date_created : hit.date_modified;
  const [author, path] =
    hit.organization && hit.organization_id
      ? [hit.organization, organizationPath(hit.organization_id)]
      : [hit.author, userPath(hit.author)];
  return {
    id: hit.project_id,
    href: link(`/${kind.type}/${encodeURIComponent(hit.slug ?? hit.project_id)}`),
    title: hit.title,
    author: { text: author, href: link(path) },
    description: hit.description,
    categories: tags.filter((name) => !isLoader(name)).map((name) => tagName(messages, name)),
    loaders: choice ? tags.filter(isLoader).map((name) => tagName(messages, name)) : [],
    downloads: count(messages, hit.downloads),
    follows: count(messages, hit.follows),
    when: { at, exact: exactDate(messages, at), relative: relativeDate(messages, at, now) },
    icon: hit.icon_url,
    picture: pictureOf(hit),
    tint: hit.color === null ? null : `#${hit.color.toString(16).padStart(6, '0')}`,
    eager: isAboveTheFold(kind) && index < above_the_fold,
  };
}
