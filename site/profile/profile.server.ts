import { Refused } from '#db/errors.ts';
import {
  listByOwner,
  type Owner,
  type OwnerTotals,
  type ProfileProject,
  totalsOfOwner,
} from '#db/projects/by-owner.ts';
import { type ProfileSort, profileSorts } from '#db/projects/profile-sorts.ts';
import { displayPath } from '../error-page/error-page.ts';
import { type ProjectTypeInfo, typeAtPath } from '../project-types.ts';
import { type ListState, lastPage, pageSize, parseList, queryOf } from './list-query.ts';

export interface PageContext {
  params: Record<string, string | undefined>;
  url: URL;
  locals: App.Locals;
  redirect(path: string, status?: 301 | 302): Response;
}

/** A part of a profile: where it lies and how much is in it. */
export interface Tab {
  path: string;
  text: string;
  number: number;
}

/** The list of a profile, and where it lies. */
export interface LoadedList {
  figures: OwnerTotals;
  /** Null for all kinds. */
  kind: ProjectTypeInfo | null;
  state: ListState<ProfileSort>;
  /** How many match. */
  total: number;
  projects: ProfileProject[];
  /** The path of the profile, and of the tab that is shown. */
  base: string;
  here: string;
}

/** What of a list a program is told. */
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

/** The same page at another path: what follows the name, and the query, stay. */
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

/** The kind a part of a page is about, null for all of them. Refuses `page_refused` for kinds that are none. */
export function kindOfPage({
  params,
  locals,
}: Pick<PageContext, 'params' | 'locals'>): ProjectTypeInfo | null {
  if (params.projectType === undefined) return null;
  const kind = typeAtPath(`/${params.projectType}`);
  if (!kind) throw new Refused('page_refused', { path: displayPath(locals.path) });
  return kind;
}

/** The redirect to the `last` page of a list of which a later one was asked for, else null. */
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
 * The figures and the wanted page of somebody's projects, as everybody sees them. Past the end it leads to the last
 * page. Refuses `page_refused` for kinds that are none. Kept for a minute, dropped at once when one of the projects
 * shown changes or any project is shown or hidden.
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
    listByOwner(services.sql, owner, requested),
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
