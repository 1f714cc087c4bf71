import type { Project } from '#db/projects/shape.ts';
import { projectPath } from '../project/project-types.ts';

/** Where the picture of a project lies that is shown where its page is shared. */
export const projectCardPath = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  cardPath(projectPath(project));

/** Where that of whoever or whatever has its page at `path` lies. */
export const cardPath = (path: string): string => `/og${path}.png`;

/** The picture of pages that have none of their own. */
export const site_card_path = '/og/site.png';
