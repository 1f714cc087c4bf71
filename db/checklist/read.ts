import type { Db } from '../sql.ts';
import { categories as allCategories } from '../tags/rules.ts';
import type { ProjectFacts } from './rules.ts';

interface Row
  extends Omit<ProjectFacts, 'links' | 'donations' | 'categories_offered' | 'gallery' | 'versions'> {
  issues_url: string | null;
  source_url: string | null;
  wiki_url: string | null;
  discord_url: string | null;
  site_url: string | null;
  store_url: string | null;
  donation_urls: Array<{ url: string }>;
  pictures: number;
  featured: boolean;
  version_count: number;
  single_file: number;
}

/** What the checklist knows of a project; null when there is none. One statement; the caller checks the rule. */
export async function checklistFacts(db: Db, project_id: string): Promise<ProjectFacts | null> {
  const [row] = await db<Row[]>`
    select p.status, p.title, p.description as summary, p.body, p.license_id, p.license_url, p.issues_url, p.source_url,
      p.wiki_url, p.discord_url, p.site_url, p.store_url, p.donation_urls, p.categories || p.additional_categories as categories,
      p.project_types, p.environments, p.icon_key is not null as has_icon,
      (select count(*)::int from gallery g where g.project_id = p.id) as pictures,
      exists (select from gallery g where g.project_id = p.id and g.featured) as featured,
      v.version_count, v.single_file
    from projects p, lateral (
      select count(*)::int as version_count,
        (count(*) filter (where (select count(*) from files f where f.version_id = versions.id) < 2))::int as single_file
      from versions where project_id = p.id and status in ('listed', 'archived')) v
    where p.id = ${project_id}`;
  if (!row) return null;
  const { issues_url, source_url, wiki_url, discord_url, site_url, store_url, donation_urls, ...rest } = row;
  const { pictures, featured, version_count, single_file, ...facts } = rest;
  return {
    ...facts,
    links: {
      issues: issues_url,
      source: source_url,
      wiki: wiki_url,
      chat: discord_url,
      site: site_url,
      store: store_url,
    },
    donations: donation_urls.map(({ url }) => url),
    categories_offered: offered(facts.project_types),
    gallery: { count: pictures, featured },
    versions: { count: version_count, single_file },
  };
}

/** How many categories a project of these types can choose from. */
const offered = (types: readonly string[]): number =>
  new Set(allCategories.filter(({ project_type }) => types.includes(project_type)).map(({ name }) => name))
    .size;
