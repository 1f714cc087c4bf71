import { currentSlugOf, findProject } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { typeInfo } from '../../platform/paths/project-types.ts';
import { projectPath } from '../../platform/paths/routes.ts';

/**
 * Loads the project of an id or slug as an anonymous visitor sees it, for feeds and Open Graph images. `moved`: the
 * address had an old slug or another type, so the canonical address differs. Null for hidden and unknown projects and
 * for unknown types. `tags`: the cache tags that invalidate the answer.
 */
export async function loadPublicProject(
  services: ReadContext,
  type: string,
  idOrSlug: string,
  shows: (tag: string) => void,
): Promise<{ project: Project; moved: boolean } | null> {
  if (!typeInfo(type) && type !== 'project') return null;
  shows(`project:${idOrSlug}`);
  const project = await findProject(
    services,
    (await currentSlugOf(services.sql, idOrSlug)) ?? idOrSlug,
    null,
  );
  if (!project) return null;
  shows(`project:${project.id}`);
  return { project, moved: projectPath(project) !== `/${type}/${encodeURIComponent(idOrSlug)}` };
}
