import type { Project } from '#db/projects/shape.ts';
import type { Document } from '../discovery/document.ts';
import { type ProjectTypeInfo, projectPath } from '../project/project-types.ts';

/** Where the feeds lie. */
export const versionsFeed = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  `${projectPath(project)}/versions.atom`;
export const kindFeed = ({ path }: ProjectTypeInfo): string => `${path}.atom`;

/** Where a collection's page lies. */
export const collectionPath = (id: string): string => `/collection/${id}`;
/** The newest projects of whoever or whatever has its page at `path`. */
export const projectsFeed = (path: string): string => `${path}/projects.atom`;

/** An Atom document as an answer. */
export const feedDocument = (body: string): Document => ({
  type: 'application/atom+xml; charset=utf-8',
  body,
  localized: true,
});
