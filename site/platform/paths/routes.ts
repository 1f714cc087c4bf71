import type { Project } from '#db/catalogue/projects/shape.ts';
import { type ProjectTypeInfo, typeOfProject } from './project-types.ts';

/** The path of a project's Open Graph image. */
export const projectCardPath = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  cardPath(projectPath(project));

/** The path of the Open Graph image of the page at `path`. */
export const cardPath = (path: string): string => `/og${path}.png`;

/** The Open Graph image of pages without one of their own. */
export const site_card_path = '/og/site.png';

/** Where a follower chooses what they hear of a project. */
export const projectNotificationsPath = (id: string): string => `/settings/notifications/${id}`;

/** The path of a project's version feed. */
export const versionsFeed = (project: Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'>): string =>
  `${projectPath(project)}/versions.atom`;

export const kindFeed = ({ path }: ProjectTypeInfo): string => `${path}.atom`;

/** The path of the changelog: of one product, or of all. Source: specification §2. */
export const changelogPath = (product: string | null = null): string =>
  product ? `/news/changelog/${product}` : '/news/changelog';

/** The path of what changed in a product on a day. */
export const changelogEntryPath = ({ product, date }: { product: string; date: string }): string =>
  `${changelogPath(product)}/${date}`;

export const changelogFeed = (product: string | null = null): string => `${changelogPath(product)}.atom`;

/** The path of a collection's page. */
export const collectionPath = (id: string): string => `/collection/${id}`;

/** The page on which its owner edits a collection. */
export const collectionEditPath = (id: string): string => `${collectionPath(id)}/edit`;

/** The feed of the newest projects listed on the page at `path`. */
export const projectsFeed = (path: string): string => `${path}/projects.atom`;

/** The path of a user's profile. Source: specification §2. */
export const userPath = (username: string): string => `/user/${encodeURIComponent(username)}`;

/** The last path segment of a user's collections page, and its path. Source: screens §A.4. */
export const collectionsPart = 'collections';

export const userCollectionsPath = (username: string): string => `${userPath(username)}/${collectionsPart}`;

export const organizationPath = (slug: string): string => `/organization/${encodeURIComponent(slug)}`;

/** The path of an organization's settings: the overview, or one of its pages. Source: specification §2. */
export const organizationSettingsPath = ({ slug }: { slug: string }, part = ''): string =>
  `${organizationPath(slug)}/settings${part === '' ? '' : `/${part}`}`;

/** What the path of a project needs; `project_types` of one without files yet. */
type PathOf = Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders'> & {
  project_types?: readonly string[];
};

/** The path of a project's page: /{type}/{slug or id}. */
export const projectPath = (project: PathOf): string =>
  `/${typeOfProject(project).type}/${encodeURIComponent(project.slug ?? project.id)}`;

/** The path of a project's settings: the overview, or one of its pages (`general`, `license`...). Source: specification §2. */
export const projectSettingsPath = (project: PathOf, part = ''): string =>
  `${projectPath(project)}/settings${part === '' ? '' : `/${part}`}`;
