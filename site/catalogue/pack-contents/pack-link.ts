import type { Project } from '#db/catalogue/projects/shape.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { typeOfProject } from '../../platform/paths/project-types.ts';
import { projectPath } from '../../platform/paths/routes.ts';

/** Where the contents of a version of a modpack are listed, and how many projects they name; null for other kinds. */
export function packOf(
  project: Project,
  { id, dependencies }: Pick<Version, 'id' | 'dependencies'>,
): { path: string; count: number } | null {
  if (typeOfProject(project).type !== 'modpack') return null;
  const projects = dependencies.flatMap(({ dependency_type, project_id }) =>
    dependency_type === 'embedded' && project_id !== null ? [project_id] : [],
  );
  return { path: `${projectPath(project)}/contents?version=${id}`, count: new Set(projects).size };
}

/** The dependencies of a modpack that are not in it. */
export const outsidePack = (dependencies: Version['dependencies']): Version['dependencies'] =>
  dependencies.filter(({ dependency_type }) => dependency_type !== 'embedded');
