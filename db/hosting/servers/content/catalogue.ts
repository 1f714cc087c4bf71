import type { z } from 'zod';
import { visibleProjects } from '../../../catalogue/projects/read.ts';
import { type Status, whyNotListProject, whyNotSeeProject } from '../../../catalogue/projects/rules.ts';
import { visibleVersions } from '../../../catalogue/versions/row.ts';
import { listedStatuses, type VersionStatus } from '../../../catalogue/versions/rules.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type MediaSettings, mediaUrlOrNull, versionFileKey } from '../../../platform/storage/url.ts';
import { type ContentTarget, clientEnvironments, loadersOf, type VersionFacts } from './rules.ts';
import type { projectRef, ServerContentType, versionRef } from './view.ts';

export type ProjectRef = z.output<typeof projectRef>;
export type VersionRef = z.output<typeof versionRef>;

/** A version of the catalogue with one of its files, as servers install it. */
export interface CatalogueVersion extends VersionFacts {
  project: ProjectRef;
  version: VersionRef;
  /** ISO 8601, as precise as Postgres. */
  published: string;
  /** null when it has no file. */
  file: { filename: string; bytes: number; sha512: string; key: string } | null;
}

interface Row {
  id: string;
  version_number: string;
  project_id: string;
  slug: string;
  title: string;
  icon_key: string | null;
  server_side: string;
  loaders: string[];
  game_versions: string[];
  environment: string;
  date_published: string;
  status: VersionStatus;
  project_status: Status;
  filename: string | null;
  bytes: string | number | null;
  sha512: string | null;
}

const columns = (db: Db) => db`
  v.id, v.version_number, v.loaders, v.game_versions, v.environment, v.date_published, v.status, p.id as project_id,
  p.slug, p.title, p.icon_key, p.server_side, p.status as project_status, f.filename, f.size as bytes, f.sha512`;

function found(settings: MediaSettings, row: Row): CatalogueVersion {
  const { project_id, slug, title, icon_key, filename } = row;
  const { server_side, loaders, game_versions, environment } = row;
  return {
    project: { id: project_id, slug, title, icon_url: mediaUrlOrNull(settings, icon_key) },
    version: { id: row.id, version_number: row.version_number },
    published: row.date_published,
    ...{ server_side, loaders, game_versions, environment, filename },
    file:
      filename === null
        ? null
        : {
            ...{ filename, bytes: Number(row.bytes), sha512: row.sha512! },
            key: versionFileKey(project_id, row.id, filename),
          },
  };
}

/** Those that the actor may see. Projects that staff withhold are not installed by anybody else either: they look absent. */
async function visibleRows<R extends Pick<Row, 'project_id' | 'status' | 'project_status'>>(
  db: Db,
  rows: readonly R[],
  actor: Actor | null,
): Promise<R[]> {
  const visible = await visibleVersions(db, rows, actor);
  const withheld = visible.filter(({ project_status }) => project_status === 'withheld');
  if (withheld.length === 0) return visible;
  const asked = withheld.map(({ project_id: id, project_status: status }) => ({ id, status }));
  const seen = new Set((await visibleProjects(db, asked, actor, whyNotListProject)).map(({ id }) => id));
  return visible.filter(
    ({ project_status, project_id }) => project_status !== 'withheld' || seen.has(project_id),
  );
}

/**
 * The versions that the actor may see with files of these hashes, oldest first, by SHA-512. Hidden ones look as if they were
 * not there. One statement, and one more when some are hidden from others.
 */
export async function versionsByHash(
  db: Db,
  settings: MediaSettings,
  hashes: readonly string[],
  actor: Actor | null,
): Promise<Map<string, CatalogueVersion[]>> {
  if (hashes.length === 0) return new Map();
  const rows = await db<Row[]>`
    select ${columns(db)}
    from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id
    where f.sha512 = any(${[...new Set(hashes)]}::text[])
    order by v.date_published, v.id`;
  const visible = await visibleRows(db, rows, actor);
  const byHash = Map.groupBy(visible, ({ sha512 }) => sha512!);
  return new Map([...byHash].map(([hash, same]) => [hash, same.map((row) => found(settings, row))]));
}

/** These versions with their primary files, by ID, as far as the actor may see them. Statements as in `versionsByHash`. */
export async function versionsById(
  db: Db,
  settings: MediaSettings,
  ids: readonly string[],
  actor: Actor | null,
): Promise<Map<string, CatalogueVersion>> {
  if (ids.length === 0) return new Map();
  const rows = await db<Row[]>`
    select ${columns(db)}
    from versions v join projects p on p.id = v.project_id
      left join lateral (
        select * from files where version_id = v.id and (is_primary or file_type is null)
        order by is_primary desc, filename limit 1
      ) f on true
    where v.id = any(${[...new Set(ids)]}::text[])`;
  const visible = await visibleRows(db, rows, actor);
  return new Map(visible.map((row) => [row.id, found(settings, row)]));
}

/** These projects by ID, as far as the actor may see them. */
export async function projectRefs(
  db: Db,
  settings: MediaSettings,
  ids: readonly string[],
  actor: Actor | null,
): Promise<Map<string, ProjectRef>> {
  if (ids.length === 0) return new Map();
  const rows = await db<Array<Pick<Row, 'slug' | 'title' | 'icon_key'> & { id: string; status: Status }>>`
    select id, slug, title, icon_key, status from projects where id = any(${[...new Set(ids)]}::text[])`;
  const why: typeof whyNotListProject = (status, access) =>
    status === 'withheld' ? whyNotListProject(status, access) : whyNotSeeProject(status, access);
  const visible = await visibleProjects(db, rows, actor, why);
  return new Map(
    visible.map(({ id, slug, title, icon_key }) => [
      id,
      { id, slug, title, icon_url: mediaUrlOrNull(settings, icon_key) },
    ]),
  );
}

interface UpdateQuestion {
  project_id: string;
  type: ServerContentType;
  /** Only versions that are newer; null for any. */
  after: string | null;
  /** Only versions for the loader of the server, none for those that it also loads. */
  own_loader: boolean;
}

/**
 * The newest listed version that fits the server, for each question in order; undefined when there is none. Versions for its own
 * loader come first, then those for loaders that it also loads. One statement.
 */
export async function newestFitting(
  db: Db,
  questions: readonly UpdateQuestion[],
  { loader, game_version }: ContentTarget,
): Promise<Array<VersionRef | undefined>> {
  if (questions.length === 0) return [];
  const asked = questions.map(({ project_id, type, after, own_loader }, place) => ({
    ...{ place, project_id, after },
    loaders: loadersOf(type, loader).slice(0, own_loader ? 1 : undefined),
  }));
  const rows = await db<Array<VersionRef & { place: number }>>`
    select q.place, best.id, best.version_number
    from jsonb_to_recordset(${db.json(asked)}) as q (place int, project_id text, after timestamptz, loaders text[])
    cross join lateral (
      select v.id, v.version_number from versions v
      where v.project_id = q.project_id and v.status = any(${listedStatuses as string[]})
        and v.loaders && q.loaders and ${game_version} = any(v.game_versions)
        and (q.after is null or v.date_published > q.after)
        and (q.loaders = '{datapack}' or v.environment <> all(${clientEnvironments as string[]}))
      order by v.loaders && q.loaders[1:1] desc, v.date_published desc, v.id desc
      limit 1
    ) best`;
  const best = new Map(rows.map(({ place, id, version_number }) => [place, { id, version_number }]));
  return questions.map((_, place) => best.get(place));
}
