import { Refused } from '#db/errors.ts';
import { currentSlugOf, findProject, legalHoldReason, notFoundReason } from '#db/projects/read.ts';
import type { Project } from '#db/projects/shape.ts';
import { displayPath } from '../error-page/error-page.ts';
import { typeInfo } from '../project-types.ts';
import { projectPath } from '../routes.ts';

interface PageContext {
  params: Record<string, string | undefined>;
  url: URL;
  locals: App.Locals;
  redirect(path: string, status: 301): Response;
}

/**
 * The project of a page below /{kind}/{id or slug}, or the redirect to where it lies: its right kind and slug, also from
 * an old slug. First as anybody sees it; only what is hidden asks who looks. Refuses `not_found`, and `page_refused` for
 * kinds that are none.
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
  const { sql } = locals.services;
  const requested = id.toLowerCase();
  locals.tag(`project:${requested}`);
  const slug = (await currentSlugOf(sql, id)) ?? id;
  const project =
    (await findProject(sql, slug, null)) ?? (await findProject(sql, slug, await locals.currentActor()));
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

/** Why the law holds a project, for those who may see it all the same; null when it does not, and for everybody's pages. */
export const legalHoldReasonFor = async (
  { isPrivate, services }: Pick<App.Locals, 'isPrivate' | 'services'>,
  { id, status }: Project,
): Promise<string | null> =>
  isPrivate && status === 'rejected' ? await legalHoldReason(services.sql, id) : null;
