import { currentSlugOf, findProject, legalHoldReason, notFoundReason } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { type RecentDownloads, recentDownloads } from '#db/discovery/analytics/recent-downloads.ts';
import { Refused } from '#db/platform/errors.ts';
import { displayPath } from '../../platform/error-page/error-page.ts';
import { typeInfo } from '../../platform/paths/project-types.ts';
import { projectPath } from '../../platform/paths/routes.ts';

interface PageContext {
  params: Record<string, string | undefined>;
  url: URL;
  locals: App.Locals;
  redirect(path: string, status: 301): Response;
}

/**
 * Loads the project of a page below /{type}/{id or slug}, or gives the redirect to its canonical type and slug, also
 * from an old slug. Loads as an anonymous visitor first; only for a hidden project it reads the current user. Refuses
 * `not_found`, and `page_refused` for unknown types.
 * Source: screens §A.4 (redirects 301 to canonical type and slug).
 */
export async function loadProject({
  params,
  url,
  locals,
  redirect,
}: PageContext): Promise<Project | Response> {
  const { type = '', id = '' } = params;
  const named = type.toLowerCase();
  if (!typeInfo(named) && named !== 'project')
    throw new Refused('page_refused', { path: displayPath(locals.path) });
  const { services } = locals;
  const { sql } = services;
  const requested = id.toLowerCase();
  locals.tag(`project:${requested}`);
  const slug = (await currentSlugOf(sql, id)) ?? id;
  const project =
    (await findProject(services, slug, null)) ??
    (await findProject(services, slug, await locals.currentActor()));
  if (!project) throw await notFoundReason(sql, slug);
  locals.tag(`project:${project.id}`);
  const right = projectPath(project);
  const here = `/${type}/${encodeURIComponent(id)}`;
  if (here === right) return project;
  const rest = url.pathname
    .split('/')
    .slice(3)
    .map((part) => `/${part}`)
    .join('');
  return redirect(right + rest + url.search, 301);
}

/** What every page of a project shows above its own content, beside the project. */
export interface ProjectHead {
  /** The reason of a legal hold, for users who may see the project all the same; null without one, and on public pages. */
  hold: string | null;
  /** Null unless the project wants them shown. */
  recent: RecentDownloads | null;
}

/** Loads what every page of a project shows above its own content. */
export async function loadProjectHead(
  { isPrivate, services: { sql }, now }: Pick<App.Locals, 'isPrivate' | 'services' | 'now'>,
  { id, status }: Project,
): Promise<ProjectHead> {
  const [hold, recent] = await Promise.all([
    isPrivate && status === 'rejected' ? legalHoldReason(sql, id) : null,
    recentDownloads(sql, id, now),
  ]);
  return { hold, recent };
}
