import { currentSlugOf, findProject } from '#db/projects/read.ts';
import type { Project } from '#db/projects/shape.ts';
import type { AppServices } from '../context.ts';
import { typeInfo } from '../project-types.ts';
import { projectPath } from '../routes.ts';

/**
 * The project of this id or slug as strangers see it, for what no page shows: feeds, pictures. `moved`: it was asked
 * for by an old slug or as another kind, so its address is another. Null for what is hidden or never was, and for
 * kinds that are none. `shows`: everything whose change may change the answer.
 */
export async function loadPublicProject(
  { sql }: Pick<AppServices, 'sql'>,
  type: string,
  idOrSlug: string,
  shows: (tag: string) => void,
): Promise<{ project: Project; moved: boolean } | null> {
  if (!typeInfo(type) && type !== 'project') return null;
  shows(`project:${idOrSlug}`);
  const project = await findProject(sql, (await currentSlugOf(sql, idOrSlug)) ?? idOrSlug, null);
  if (!project) return null;
  shows(`project:${project.id}`);
  return { project, moved: projectPath(project) !== `/${type}/${encodeURIComponent(idOrSlug)}` };
}
