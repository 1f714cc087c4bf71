import type { Db } from '../../platform/postgres/sql.ts';
import type { ProjectFacts } from '../checklist/rules.ts';
import { categories as allCategories } from '../tags/rules.ts';
import { type LinkColumn, mapLinks, storedLinks } from './stored-fields.ts';

/** What members set of a project and the checklist reads, as it is stored. */
export interface CheckedFields extends Record<LinkColumn, string | null> {
  title: string;
  description: string;
  body: string;
  status: string;
  license_id: string;
  license_url: string | null;
  categories: string[];
  additional_categories: string[];
  project_types: string[];
  environments: string[];
  donation_urls: Array<{ url: string }>;
}

/** The columns of `CheckedFields`, `from projects p`. */
export const checkedColumns = (db: Db) => db`
  p.title, p.description, p.body, p.status, p.license_id, p.license_url, p.categories, p.additional_categories,
  p.project_types, p.environments, ${db(storedLinks.map((column) => `p.${column}`))}, p.donation_urls`;

interface Row extends CheckedFields {
  has_icon: boolean;
  pictures: number;
  featured: boolean;
  version_count: number;
  single_file: number;
}

/** What the checklist knows of a project; null when there is none. One statement; the caller checks the rule. */
export async function checklistFacts(db: Db, project_id: string): Promise<ProjectFacts | null> {
  const [row] = await db<Row[]>`
    select ${checkedColumns(db)}, p.icon_key is not null as has_icon,
      (select count(*)::int from gallery g where g.project_id = p.id) as pictures,
      exists (select from gallery g where g.project_id = p.id and g.featured) as featured,
      v.version_count, v.single_file
    from projects p, lateral (
      select count(*)::int as version_count,
        (count(*) filter (where (select count(*) from files f where f.version_id = versions.id) < 2))::int as single_file
      from versions where project_id = p.id and status in ('listed', 'archived')) v
    where p.id = ${project_id}`;
  if (!row) return null;
  const { status, title, description, body, license_id, license_url, project_types, environments } = row;
  return {
    ...{ status, title, summary: description, body, license_id, license_url, project_types, environments },
    has_icon: row.has_icon,
    links: mapLinks((column) => row[column]),
    donations: row.donation_urls.map(({ url }) => url),
    categories: [...row.categories, ...row.additional_categories],
    categories_offered: offered(project_types),
    gallery: { count: row.pictures, featured: row.featured },
    versions: { count: row.version_count, single_file: row.single_file },
  };
}

/** How many categories a project of these types can choose from. */
const offered = (types: readonly string[]): number =>
  new Set(allCategories.filter(({ project_type }) => types.includes(project_type)).map(({ name }) => name))
    .size;
