import { Refused } from '#db/errors.ts';
import { type Figures, figuresOf, listOf, type ProfileProject, type Whose } from '#db/projects/profile.ts';
import { shownPath } from '../problem/problem.ts';
import { type Kind, kindAt } from '../project/types.ts';
import { type ListState, pageSize, parseList, queryOf } from './state.ts';

export interface PageOf {
  params: Record<string, string | undefined>;
  url: URL;
  locals: App.Locals;
  redirect(path: string, status?: 301): Response;
}

/** The list of a profile, and where it lies. */
export interface Listed {
  figures: Figures;
  /** Null for all kinds. */
  kind: Kind | null;
  state: ListState;
  /** How many match. */
  total: number;
  projects: ProfileProject[];
  /** The path of the profile, and of the tab that is shown. */
  base: string;
  here: string;
}

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

/**
 * The figures and the wanted page of somebody's projects, as everybody sees them. Past the end it leads to the last
 * page. Refuses `page_refused` for kinds that are none. Kept for a minute, dropped at once when one of the projects
 * shown changes or any project is shown or hidden.
 */
export async function listAt(page: PageOf, whose: Whose, base: string): Promise<Listed | Response> {
  const { params, url, locals, redirect } = page;
  const { services, shows, link } = locals;
  const kind = params.projectType === undefined ? null : kindAt(`/${params.projectType}`);
  if (kind === undefined) throw new Refused('page_refused', { path: shownPath(locals.path) });
  shows('counts');
  const state = parseList(url.searchParams);
  const wanted = { ...state, type: kind?.type ?? null, offset: (state.page - 1) * pageSize, limit: pageSize };
  const [figures, { total, projects }] = await Promise.all([
    figuresOf(services.sql, whose),
    listOf(services.sql, whose, wanted),
  ]);
  for (const { id } of projects) shows(`project:${id}`);
  const here = base + (kind?.path ?? '');
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (state.page > last) return redirect(link(here + queryOf({ ...state, page: last })));
  return { figures, kind, state, total, projects, base, here };
}
