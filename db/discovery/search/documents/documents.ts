import { type StoredDisclosure, searchedTypes } from '../../../catalogue/disclosures/rules.ts';
import { hiddenStatuses } from '../../../catalogue/projects/rules.ts';
import {
  type SearchColumns,
  searchColumns,
  searchValues,
} from '../../../catalogue/projects/stored-fields.ts';
import { firstLicense, isOsiApproved } from '../../../catalogue/tags/read.ts';
import { projectTypesOf, sidesOf } from '../../../catalogue/tags/rules.ts';
import { listedStatuses } from '../../../catalogue/versions/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { DocumentVersion, SearchDocument } from '../engine.ts';

/** A project with its owner, as stored. */
export interface ProjectColumns extends SearchColumns {
  id: string;
  slug: string;
  author: string | null;
  author_id: string | null;
  organization: string | null;
  organization_id: string | null;
  categories: string[];
  additional_categories: string[];
  license_id: string;
  downloads: number;
  followers: number;
  created: string;
  updated: string;
  archived: boolean;
  /** Those that hold now, without `archived`. */
  disclosures?: readonly StoredDisclosure[];
  icon_key: string | null;
  color: number | null;
  loaders: string[];
  mrpack_loaders: string[];
  game_versions: string[];
  environments: string[];
  client_side: string;
  server_side: string;
}
/** Versions that no filter can distinguish, with the newest of them. */
export interface AggregatedColumns {
  project_id: string;
  loaders: string[];
  mrpack_loaders: string[];
  game_versions: string[];
  environment: string;
  date: string;
  version_id: string;
}
type Picture = { project_id: string; key: string; featured: boolean };
type Dependency = { of: string; project_id: string; dependency_type: string };

/** The fields of grouped versions that filters use. */
export function rowOf({
  loaders,
  mrpack_loaders,
  game_versions,
  environment,
  date,
  version_id,
}: AggregatedColumns): DocumentVersion {
  const project_types = projectTypesOf(loaders);
  return {
    version_id,
    date: Date.parse(date),
    loaders: [...new Set([...loaders, ...mrpack_loaders])],
    game_versions,
    project_types,
    environment,
    ...sidesOf(environment, project_types),
  };
}

/** A date in the format of hits. Source: api-v2 §1.2. */
const displayDate = (text: string): string => text.replace(/Z$/, '+00:00');
const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);

/** Builds a project's search document from its stored data. */
export function documentOf(
  p: ProjectColumns,
  rows: DocumentVersion[],
  dependencies: Dependency[],
  pictures: Picture[],
): SearchDocument {
  return {
    project_id: p.id,
    slug: p.slug,
    ...searchValues(p),
    author: p.author ?? '',
    author_id: p.author_id ?? '',
    organization: p.organization,
    organization_id: p.organization_id,
    categories: [...p.categories, ...p.additional_categories],
    display_categories: p.categories,
    license: firstLicense(p.license_id),
    open_source: isOsiApproved(firstLicense(p.license_id)),
    downloads: p.downloads,
    follows: p.followers,
    created_timestamp: seconds(p.created),
    modified_timestamp: seconds(p.updated),
    newest_version: rows.reduce((newest, { date }) => Math.max(newest, date), 0),
    all_project_types: [...new Set(rows.flatMap(({ project_types }) => project_types))].sort(),
    dependencies: dependencies.map(({ project_id, dependency_type }) => ({ project_id, dependency_type })),
    disclosure_types: [...searchedTypes(p.disclosures ?? []), ...(p.archived ? ['archived'] : [])],
    rows,
    hit: {
      icon_key: p.icon_key,
      color: p.color,
      pictures: pictures.map(({ key, featured }) => ({ key, featured })),
      date_created: displayDate(p.created),
      date_modified: displayDate(p.updated),
      game_versions: p.game_versions,
      loaders: p.loaders,
      mrpack_loaders: p.mrpack_loaders,
      environments: p.environments,
      client_side: p.client_side,
      server_side: p.server_side,
    },
  };
}

/**
 * Search documents of these projects, in four queries however many they are; projects that are not searchable (not
 * approved; archived ones count as approved) are left out. Listed and archived versions are grouped by the fields that
 * filters use, with the newest of each group. The author of an organization's project is the organization's owner.
 * Dependencies on hidden projects are left out, because their ids are not public.
 * Source: search §2 (Rows); api-behaviours §11.
 */
export async function documentsOf(db: Db, project_ids: readonly string[]): Promise<SearchDocument[]> {
  const ids = project_ids as string[];
  const [projects, folded, dependencies, pictures] = await Promise.all([
    db<ProjectColumns[]>`
      select ${db(searchColumns.map((column) => `p.${column}`))}, p.id, p.slug, u.username as author, u.id as author_id,
        o.name as organization, o.id as organization_id, p.categories, p.additional_categories, p.license_id,
        p.downloads, p.followers, coalesce(p.approved, p.published) as created, p.updated, p.archived, p.icon_key,
        p.color, p.loaders, p.mrpack_loaders, p.game_versions, p.environments, p.client_side, p.server_side,
        coalesce((select json_agg(json_build_object('type', d.type, 'data', d.data) order by d.type)
          from disclosures d
          where d.project_id = p.id and d.deleted_at is null and d.type <> 'archived'), '[]') as disclosures
      from projects p
      left join organizations o on o.id = p.organization
      left join team_members m on m.team_id = coalesce(o.team_id, p.team) and m.is_owner
      left join users u on u.id = m.user_id
      where p.id = any(${ids}::text[]) and p.status = 'approved'
      order by p.id`,
    db<AggregatedColumns[]>`
      select project_id, loaders, mrpack_loaders, game_versions, environment, max(date_published) as date,
        (array_agg(id order by date_published desc, id))[1] as version_id
      from versions
      where project_id = any(${ids}::text[]) and status = any(${listedStatuses as string[]})
      group by project_id, loaders, mrpack_loaders, game_versions, environment
      order by project_id, date desc, version_id`,
    db<Dependency[]>`
      select distinct v.project_id as of, d.project_id, d.dependency_type
      from versions v join dependencies d on d.version_id = v.id join projects p on p.id = d.project_id
      where v.project_id = any(${ids}::text[]) and v.status = any(${listedStatuses as string[]})
        and p.status <> all(${hiddenStatuses as string[]})
      order by v.project_id, d.project_id, d.dependency_type`,
    db<Picture[]>`
      select project_id, key, featured from gallery where project_id = any(${ids}::text[])
      order by project_id, ordering, created, key`,
  ]);
  const rowsBy = Map.groupBy(folded, ({ project_id }) => project_id);
  const dependenciesBy = Map.groupBy(dependencies, ({ of }) => of);
  const picturesBy = Map.groupBy(pictures, ({ project_id }) => project_id);
  return projects.map((project) =>
    documentOf(
      project,
      (rowsBy.get(project.id) ?? []).map(rowOf),
      dependenciesBy.get(project.id) ?? [],
      picturesBy.get(project.id) ?? [],
    ),
  );
}

const page = 250;

/** Search documents of all searchable projects, by id, read in small pages without a long transaction. */
export async function* allDocuments(db: Db): AsyncGenerator<SearchDocument> {
  for (let last = ''; ; ) {
    const rows = await db<{ id: string }[]>`
      select id from projects where status = 'approved' and id > ${last} order by id limit ${page}`;
    const ids = rows.map(({ id }) => id);
    yield* await documentsOf(db, ids);
    if (ids.length < page) return;
    last = ids.at(-1) as string;
  }
}
