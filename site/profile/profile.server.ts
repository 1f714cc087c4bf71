import { Refused } from '#db/errors.ts';
import {
  listByOwner,
  type Owner,
  type OwnerTotals,
  type ProfileProject,
  totalsOfOwner,
} from '#db/projects/profile.ts';
import { type ProfileSort, profileSorts } from '#db/projects/profile-sorts.ts';
import { shownPath } from '../problem/problem.ts';
import { type Kind, kindAt } from '../project/types.ts';
import { type ListState, lastPage, pageSize, parseList, queryOf } from './state.ts';

export interface PageOf {
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
export interface Listed {
  figures: OwnerTotals;
  /** Null for all kinds. */
  kind: Kind | null;
  state: ListState<ProfileSort>;
  /** How many match. */
  total: number;
  projects: ProfileProject[];
  /** The path of the profile, and of the tab that is shown. */
  base: string;
  here: string;
}

/** What of a list a program is told. */
export const dataOf = (list: Listed | null): Record<string, unknown> =>
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
export const movedTo = ({ url, redirect }: PageOf, base: string): Response =>
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
export function kindOfPage({ params, locals }: Pick<PageOf, 'params' | 'locals'>): Kind | null {
  if (params.projectType === undefined) return null;
  const kind = kindAt(`/${params.projectType}`);
  if (!kind) throw new Refused('page_refused', { path: shownPath(locals.path) });
  return kind;
}

/** The redirect to the `last` page of a list of which a later one was asked for, else null. */
export function beyond<Sort extends string>(
  { locals, redirect }: Pick<PageOf, 'locals' | 'redirect'>,
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
export async function listAt(page: PageOf, whose: Owner, base: string): Promise<Listed | Response> {
  const { services, shows } = page.locals;
  const kind = kindOfPage(page);
  shows('counts');
  const state = parseList(page.url.searchParams, profileSorts);
  const wanted = { ...state, type: kind?.type ?? null, offset: (state.page - 1) * pageSize, limit: pageSize };
  const [figures, { total, projects }] = await Promise.all([
    totalsOfOwner(services.sql, whose),
    listByOwner(services.sql, whose, wanted),
  ]);
  for (const { id } of projects) shows(`project:${id}`);
  const here = base + (kind?.path ?? '');
  const last = lastPage(total, pageSize);
  return (
    beyond(page, here, state, { sorts: profileSorts, last }) ?? {
      ...{ figures, kind, state, total, projects, base, here },
    }
  );
}
