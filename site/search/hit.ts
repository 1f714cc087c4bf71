/** What lists show of a hit of the API. Source: api-v2 §2.8. */
export interface Hit {
  project_id: string;
  project_type: string;
  slug: string | null;
  title: string;
  description: string;
  author: string;
  icon_url: string | null;
  display_categories: string[];
  downloads: number;
  follows: number;
  date_created: string;
  date_modified: string;
}

const keys = [
  'project_id',
  'project_type',
  'slug',
  'title',
  'description',
  'author',
  'icon_url',
  'display_categories',
  'downloads',
  'follows',
  'date_created',
  'date_modified',
] as const satisfies ReadonlyArray<keyof Hit>;

/** Only what is shown: a search page holds each hit once as HTML and once for its island. */
export const slim = (hit: Record<string, unknown>): Hit =>
  Object.fromEntries(keys.map((key) => [key, hit[key]])) as unknown as Hit;

/** The page of a hit; its kind is the API's, the page leads on to the shown one. */
export const hitPath = ({ project_type, slug, project_id }: Hit): string =>
  `/${project_type}/${encodeURIComponent(slug ?? project_id)}`;
