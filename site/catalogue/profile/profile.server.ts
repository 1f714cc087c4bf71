import {
  listByOwner,
  type Owner,
  type OwnerTotals,
  type ProfileProject,
  totalsOfOwner,
} from '#db/catalogue/projects/by-owner.ts';
import { type ProfileSort, profileSorts } from '#db/catalogue/projects/profile-sorts.ts';
import { Refused } from '#db/platform/errors.ts';
import { displayPath } from '../../platform/error-page/error-page.ts';
import { type ListState, lastPage, pageSize, parseList, queryOf } from '../../platform/lists/list-query.ts';
import { type ProjectTypeInfo, typeAtPath } from '../../platform/paths/project-types.ts';

export interface PageContext {
  params: Record<string, string | undefined>;
  url: URL;
  locals: App.Locals;
  redirect(path: string, status?: 301 | 302): Response;
}

/** A tab of a profile: its path and count. */
export interface Tab {
  path: string;
  text: string;
  number: number;
}

/** The project list of a profile, and its path. */
export interface LoadedList {
  figures: OwnerTotals;
  /** Null for all types. */
  kind: ProjectTypeInfo | null;
  state: ListState<ProfileSort>;
  /** The number of matches. */
  total: number;
  projects: ProfileProject[];
  /** The path of the profile, and of the current tab. */
  base: string;
  here: string;
}

/** The part of a list that is exposed in the payload. */
export const listPayload = (list: LoadedList | null): Record<string, unknown> =>
  list
    ? {
        type: list.kind?.type ?? null,
        total: list.total,
        page: list.state.page,
        figures: list.figures,
        projects: list.projects,
      }
    : {};

/** A redirect to the same page at another base path; the rest of the path and the query stay. */
export const movedTo = ({ url, redirect }: PageContext, base: string): Response =>
  redirect(
    base +
      url.pathname
        .split('/')
        .slice(3)
        .map((part) => `/${part}`)
        .join('') +
      url.search,
    301,
  );

/** The project type of a page, null for all of them. Refuses `page_refused` for unknown types. */
export function kindOfPage({
  params,
  locals,
}: Pick<PageContext, 'params' | 'locals'>): ProjectTypeInfo | null {
  if (params.projectType === undefined) return null;
  const kind = typeAtPath(`/${params.projectType}`);
  if (!kind) throw new Refused('page_refused', { path: displayPath(locals.path) });
  return kind;
}

/** The redirect to the last page of a list when a later one was requested, else null. */
export function redirectPastEnd<Sort extends string>(
  { locals, redirect }: Pick<PageContext, 'locals' | 'redirect'>,
  here: string,
  state: ListState<Sort>,
  { sorts, last }: { sorts: readonly [Sort, ...Sort[]]; last: number },
): Response | null {
  if (state.page <= last) return null;
  return redirect(locals.link(here + queryOf({ ...state, page: last }, sorts)), 302);
}

/**
 * The totals and the requested page of an owner's public projects. Beyond the end it redirects to the last page.
 * Refuses `page_refused` for unknown types. Cached for a minute, invalidated when a listed project changes or the
 * visibility of any project changes.
 */
export async function loadList(
  page: PageContext,
  owner: Owner,
  base: string,
): Promise<LoadedList | Response> {
  const { services, tag } = page.locals;
  const kind = kindOfPage(page);
  tag('counts');
  const state = parseList(page.url.searchParams, profileSorts);
  const requested = {
    ...state,
    type: kind?.type ?? null,
    offset: (state.page - 1) * pageSize,
    limit: pageSize,
  };
  const [figures, { total, projects }] = await Promise.all([
    totalsOfOwner(services.sql, owner),
    listByOwner(services, owner, requested),
  ]);
  for (const { id } of projects) tag(`project:${id}`);
  const here = base + (kind?.path ?? '');
  const last = lastPage(total, pageSize);
  return (
    redirectPastEnd(page, here, state, { sorts: profileSorts, last }) ?? {
      ...{ figures, kind, state, total, projects, base, here },
    }
  );
}
