import type { Project } from '#db/projects/shape.ts';
import type { Made } from '../machines/machine.ts';
import { type Kind, projectPath } from '../project/types.ts';

/** Where the feeds lie. */
export const versionsFeed = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  `${projectPath(project)}/versions.atom`;
export const kindFeed = ({ path }: Kind): string => `${path}.atom`;
export const userFeed = (username: string): string => `/user/${encodeURIComponent(username)}/projects.atom`;
export const organizationFeed = (slug: string): string =>
  `/organization/${encodeURIComponent(slug)}/projects.atom`;

/** An Atom document as an answer. */
export const feedOf = (body: string): Made => ({
  type: 'application/atom+xml; charset=utf-8',
  body,
  said: true,
});
