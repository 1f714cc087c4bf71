import type { Project } from '#db/projects/shape.ts';
import { projectPath } from '../project/types.ts';

/** Where the picture of a project lies that is shown where its page is shared. */
export const cardOf = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  cardAt(projectPath(project));

/** Where that of whoever or whatever has its page at `path` lies. */
export const cardAt = (path: string): string => `/og${path}.png`;

/** The picture of pages that have none of their own. */
export const siteCard = '/og/site.png';
