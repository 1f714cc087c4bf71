import { v2ProjectType } from '../../../catalogue/tags/rules.ts';
import type { ReadContext } from '../../../platform/read-context.ts';
import { type MediaSettings, mediaUrl, mediaUrlOrNull } from '../../../platform/storage/url.ts';
import type { SearchDocument } from '../engine.ts';

/** A document without its rows, as engines store it for results. */
export type StoredDocument = Omit<SearchDocument, 'rows'>;

const sorted = (names: string[]): string[] => [...new Set(names)].filter((name) => name !== 'mrpack').sort();

const common = (doc: StoredDocument, settings: MediaSettings) => {
  const hit_fields = doc.hit;
  const loaders = [...hit_fields.loaders, ...hit_fields.mrpack_loaders];
  const featured = hit_fields.pictures.find((picture) => picture.featured);
  return {
    project_id: doc.project_id,
    all_project_types: doc.all_project_types,
    slug: doc.slug,
    author: doc.author,
    author_id: doc.author_id,
    organization: doc.organization,
    organization_id: doc.organization_id,
    categories: sorted([...doc.categories, ...loaders]),
    display_categories: sorted([...doc.display_categories, ...loaders]),
    downloads: doc.downloads,
    follows: doc.follows,
    date_created: hit_fields.date_created,
    date_modified: hit_fields.date_modified,
    license: doc.license,
    disclosure_types: doc.disclosure_types,
    gallery: hit_fields.pictures
      .filter((picture) => !picture.featured)
      .map(({ key }) => mediaUrl(settings, key)),
    featured_gallery: featured ? mediaUrl(settings, featured.key) : null,
    color: hit_fields.color,
  };
};

/** A search hit of API v2. Source: api-v2 §2.8. */
export function hitV2(
  doc: StoredDocument,
  version_id: string | null,
  settings: MediaSettings,
): Record<string, unknown> {
  const hit_fields = doc.hit;
  return {
    ...common(doc, settings),
    project_type: v2ProjectType(doc.all_project_types),
    title: doc.title,
    description: doc.description,
    versions: hit_fields.game_versions,
    icon_url: mediaUrlOrNull(settings, hit_fields.icon_key) ?? '',
    latest_version: version_id ?? '',
    client_side: hit_fields.client_side,
    server_side: hit_fields.server_side,
    environment: hit_fields.environments,
  };
}

/** A search hit of API v3; `named` adds the names of its dependencies. Source: api-v3 §3.6. */
export function hitV3(
  doc: StoredDocument,
  version_id: string | null,
  settings: MediaSettings,
): Record<string, unknown> {
  const hit_fields = doc.hit;
  const ids = (...types: string[]) => [
    ...new Set(
      doc.dependencies.filter((one) => types.includes(one.dependency_type)).map((one) => one.project_id),
    ),
  ];
  const fields = {
    ...(hit_fields.game_versions.length > 0 ? { game_versions: hit_fields.game_versions } : {}),
    ...(hit_fields.environments.length > 0 ? { environment: hit_fields.environments } : {}),
    ...(hit_fields.mrpack_loaders.length > 0 ? { mrpack_loaders: hit_fields.mrpack_loaders } : {}),
  };
  return {
    ...(version_id ? { version_id } : {}),
    ...common(doc, settings),
    project_types: doc.all_project_types,
    name: doc.title,
    summary: doc.description,
    icon_url: mediaUrlOrNull(settings, hit_fields.icon_key),
    loaders: hit_fields.loaders,
    dependency_project_ids: [...new Set(doc.dependencies.map((one) => one.project_id))],
    compatible_dependency_project_ids: ids('required', 'optional', 'embedded'),
    required_dependency_project_ids: ids('required'),
    optional_dependency_project_ids: ids('optional'),
    embedded_dependency_project_ids: ids('embedded'),
    incompatible_dependency_project_ids: ids('incompatible'),
    dependencies: doc.dependencies,
    project_loader_fields: fields,
    ...fields,
    ...noComponents,
  };
}

/** The components of server listings, which are not built: null, as in a project. Source: api-v3 §2.4. */
const noComponents = {
  minecraft_mod: null,
  minecraft_server: null,
  minecraft_java_server: null,
  minecraft_bedrock_server: null,
};

interface Dependency {
  project_id: string;
  dependency_type: string;
}

/**
 * v3 hits with current name, slug and icon of their dependencies. Entries of projects that are not searchable are
 * removed. One query for all hits.
 */
export async function named(
  { sql: db, settings }: ReadContext,
  hits: Array<Record<string, unknown>>,
): Promise<Array<Record<string, unknown>>> {
  const of = (hit: Record<string, unknown>) => (hit.dependencies ?? []) as Dependency[];
  const ids = [...new Set(hits.flatMap((hit) => of(hit).map(({ project_id }) => project_id)))];
  if (ids.length === 0) return hits;
  const rows = await db<Array<{ id: string; name: string; slug: string; icon_key: string | null }>>`
    select id, title as name, slug, icon_key from projects where id = any(${ids}::text[]) and status = 'approved'`;
  const known = new Map(
    rows.map(({ id, icon_key, ...row }) => [id, { ...row, icon_url: mediaUrlOrNull(settings, icon_key) }]),
  );
  return hits.map((hit) => ({
    ...hit,
    dependencies: of(hit).flatMap((one) => {
      const project = known.get(one.project_id);
      return project ? [{ ...one, ...project }] : [];
    }),
  }));
}
