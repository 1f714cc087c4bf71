import type { ProjectRow } from '#db/catalogue/projects/row.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { linkColumns, v2OnlyColumns, v3Names } from '#db/catalogue/projects/stored-fields.ts';

/** The v3 name of each v2 field, by the object that contains it. Source: api-behaviours §7.4. */
export const names = {
  project: { ...v3Names, body: 'description', team: 'team_id' },
  picture: { title: 'name' },
} as const;
type Table = Readonly<Record<string, string>>;

const renamed = (object: object, table: Table) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [table[key] ?? key, value]));

/** The object with the names of v3. */
const toV3 = (object: object, table: Table): Record<string, unknown> => renamed(object, table);

/** The object with v2 names; the inverse of `toV3`. */
export const toV2 = (object: object, table: Table): Record<string, unknown> =>
  renamed(object, Object.fromEntries(Object.entries(table).map(([v2, v3]) => [v3, v2])));

/** Source: api-behaviours §7.3. */
function linksOf(row: ProjectRow): Record<string, { platform: string; donation: boolean; url: string }> {
  const links: ReturnType<typeof linksOf> = {};
  for (const [platform, column] of linkColumns) {
    const url = row[column];
    if (url) links[platform] = { platform, donation: false, url };
  }
  for (const { id, url } of row.donation_urls) links[id] = { platform: id, donation: true, url };
  return links;
}

/** Fields of v2 that v3 expresses differently. */
const onlyV2 = new Set<string>([
  ...v2OnlyColumns,
  'project_type',
  'body_url',
  'client_side',
  'server_side',
  'environment',
  'donation_urls',
  'game_versions',
]);

/**
 * A project as v3 answers it, from its v2 form and its row: version fields are arrays, left out when no version has
 * them; the status is the stored one. Source: api-v3 §2.1.
 */
export function projectV3(project: Project, row: ProjectRow): Record<string, unknown> {
  const stored = Object.fromEntries(Object.entries(project).filter(([key]) => !onlyV2.has(key)));
  const flattened = {
    game_versions: row.game_versions,
    environment: row.environments,
    mrpack_loaders: row.mrpack_loaders,
  };
  return {
    ...toV3(stored, names.project),
    status: row.status,
    project_types: row.project_types,
    games: ['minecraft-java'],
    loaders: row.loaders,
    link_urls: linksOf(row),
    gallery: project.gallery.map((picture) => toV3(picture, names.picture)),
    side_types_migration_review_status: 'reviewed',
    minecraft_mod: null,
    minecraft_server: null,
    minecraft_java_server: null,
    minecraft_bedrock_server: null,
    ...Object.fromEntries(Object.entries(flattened).filter(([, values]) => values.length > 0)),
  };
}
