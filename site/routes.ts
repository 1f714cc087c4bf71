import type { Project } from '#db/projects/shape.ts';
import { type ProjectTypeInfo, typeOfProject } from './project-types.ts';

/** Where the picture of a project lies that is shown where its page is shared. */
export const projectCardPath = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  cardPath(projectPath(project));

/** Where that of whoever or whatever has its page at `path` lies. */
export const cardPath = (path: string): string => `/og${path}.png`;

/** The picture of pages that have none of their own. */
export const site_card_path = '/og/site.png';

/** Where the feeds lie. */
export const versionsFeed = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  `${projectPath(project)}/versions.atom`;

export const kindFeed = ({ path }: ProjectTypeInfo): string => `${path}.atom`;

/** Where a collection's page lies. */
export const collectionPath = (id: string): string => `/collection/${id}`;

/** The newest projects of whoever or whatever has its page at `path`. */
export const projectsFeed = (path: string): string => `${path}/projects.atom`;

/** Where profiles lie. Source: specification §2. */
export const userPath = (username: string): string => `/user/${encodeURIComponent(username)}`;

/** The last part of the address of a person's collections, and that address. Source: screens §A.4. */
export const collectionsPart = 'collections';

export const userCollectionsPath = (username: string): string => `${userPath(username)}/${collectionsPart}`;

export const organizationPath = (slug: string): string => `/organization/${encodeURIComponent(slug)}`;

/** The path of a project's page: /{kind}/{slug or id}. */
export const projectPath = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  `/${typeOfProject(project).type}/${encodeURIComponent(project.slug ?? project.id)}`;
