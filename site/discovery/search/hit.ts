import { type ProjectTypeInfo, typeOfProject } from '../../platform/paths/project-types.ts';

/** The fields of an API hit that lists show. Source: api-v2 §2.8. */
export interface Hit {
  project_id: string;
  project_type: string;
  slug: string | null;
  title: string;
  description: string;
  author: string;
  organization: string | null;
  organization_id: string | null;
  icon_url: string | null;
  display_categories: string[];
  downloads: number;
  follows: number;
  date_created: string;
  date_modified: string;
  gallery: string[];
  featured_gallery: string | null;
  /** 24-bit RGB, or null. */
  color: number | null;
}

const keys = [
  'project_id',
  'project_type',
  'slug',
  'title',
  'description',
  'author',
  'organization',
  'organization_id',
  'icon_url',
  'display_categories',
  'downloads',
  'follows',
  'date_created',
  'date_modified',
  'gallery',
  'featured_gallery',
  'color',
] as const satisfies ReadonlyArray<keyof Hit>;

/** Only the displayed fields. */
export const slim = (hit: Record<string, unknown>): Hit =>
  Object.fromEntries(keys.map((key) => [key, hit[key]])) as unknown as Hit;

/** The type of a hit of API v2. Its categories contain its loaders, which determine the type. */
export function typeOfHit(hit: Record<string, unknown>): ProjectTypeInfo {
  const { project_type, categories } = hit as { project_type: string; categories: string[] };
  return typeOfProject({ project_type, loaders: categories });
}

/** The path of a hit's page; its type is the API's, the page redirects to the canonical one. */
export const hitPath = ({ project_type, slug, project_id }: Hit): string =>
  `/${project_type}/${encodeURIComponent(slug ?? project_id)}`;

/** The image of a gallery tile: the featured one, else the first. */
export const pictureOf = ({ featured_gallery, gallery }: Hit): string | null =>
  featured_gallery ?? gallery[0] ?? null;
