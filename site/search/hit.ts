/** What lists show of a hit of the API. Source: api-v2 §2.8. */
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

/** Only what is shown. */
export const slim = (hit: Record<string, unknown>): Hit =>
  Object.fromEntries(keys.map((key) => [key, hit[key]])) as unknown as Hit;

/** The page of a hit; its kind is the API's, the page leads on to the shown one. */
export const hitPath = ({ project_type, slug, project_id }: Hit): string =>
  `/${project_type}/${encodeURIComponent(slug ?? project_id)}`;

/** The picture that stands for it in a gallery: the featured one, else the first. */
export const pictureOf = ({ featured_gallery, gallery }: Hit): string | null =>
  featured_gallery ?? gallery[0] ?? null;
