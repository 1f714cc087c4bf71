import type { Logger } from 'pino';
import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { ReadContext } from '../../../platform/read-context.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { versionFileKey } from '../../../platform/storage/url.ts';
import { type ProjectLabel, projectLabels } from '../../projects/labels.ts';
import type { Status } from '../../projects/rules.ts';
import { visibleVersions } from '../row.ts';
import { listedStatuses, type VersionStatus } from '../rules.ts';
import type { Version } from '../shape.ts';
import { type PackFile, type PackListing, packListing } from './listing.ts';

/** A file of a modpack, and the version of the catalogue that it is, as far as the actor may see it. */
export interface PackEntry extends PackFile {
  hosted: { project: ProjectLabel; version: { id: string; version_number: string } | null } | null;
}

/** What is in a version of a modpack. */
export interface PackContents extends Omit<PackListing, 'files' | 'overrides'> {
  entries: PackEntry[];
  /** Null when only the record of the version is known, because its archive cannot be read. */
  overrides: PackListing['overrides'] | null;
}

/** What reading modpacks needs. */
export interface PackContext extends ReadContext {
  storage: Pick<Storage, 'head' | 'read'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * What is in these versions of modpacks, in their order: read from their archives, or from the record of their dependencies where
 * an archive cannot be read. Hidden and unknown projects are files only. A few statements for all of them.
 */
export async function packContents(
  context: PackContext,
  versions: readonly Version[],
  actor: Actor | null,
): Promise<PackContents[]> {
  const read = await Promise.all(versions.map((version) => listingFrom(context, version)));
  const hashes = read.flatMap((listing) => listing?.files.flatMap(({ sha1 }) => sha1 ?? []) ?? []);
  const recorded = versions.map((version, place) => (read[place] ? [] : embeddedOf(version)));
  const named = recorded.flat();
  const found = await hostedVersions(context.sql, actor, {
    hashes,
    ids: named.flatMap(({ version_id }) => version_id ?? []),
  });
  const projects = await projectLabels(
    context,
    [...[...found.by_hash.values(), ...found.by_id.values()], ...named].flatMap(
      ({ project_id }) => project_id ?? [],
    ),
    actor,
  );
  const hosted = (
    project_id: string | null | undefined,
    version: Hosted | undefined,
  ): PackEntry['hosted'] => {
    const project = projects.get(project_id ?? version?.project_id ?? '');
    if (!project) return null;
    return { project, version: version ? { id: version.id, version_number: version.version_number } : null };
  };
  return versions.map((_, place) => {
    const listing = read[place];
    if (listing) {
      const entries = listing.files.map((file) => ({
        ...file,
        hosted: hosted(null, found.by_hash.get(file.sha1 ?? '')),
      }));
      return { entries, more: listing.more, overrides: listing.overrides };
    }
    const entries = recorded[place]!.map(
      ({ project_id, version_id, file_name }): PackEntry => ({
        ...{ path: file_name ?? '', bytes: null, sha1: null, client: null, server: null },
        is_override: false,
        hosted: hosted(project_id, found.by_id.get(version_id ?? '')),
      }),
    );
    // of what is hidden the record has no name
    return { entries: entries.filter(({ hosted, path }) => hosted || path !== ''), more: 0, overrides: null };
  });
}

const embeddedOf = ({ dependencies }: Version) =>
  dependencies.filter(({ dependency_type }) => dependency_type === 'embedded');

/** The listing of a version's archive; null when it has none that can be read. */
async function listingFrom(
  { storage, log }: PackContext,
  { id, project_id, files }: Version,
): Promise<PackListing | null> {
  const isPack = ({ filename }: { filename: string }) => filename.toLowerCase().endsWith('.mrpack');
  const file = files.find((one) => one.primary && isPack(one)) ?? files.find(isPack);
  if (!file) return null;
  const { filename } = file;
  try {
    return await packListing(storage, { key: versionFileKey(project_id, id, filename), filename });
  } catch (err) {
    // the page shows what is recorded of it: a damaged archive is for its team, a store that is away for the operator
    if (!(err instanceof Refused))
      log.warn({ err, version_id: id }, 'The archive of a modpack could not be read');
    return null;
  }
}

interface Hosted {
  id: string;
  project_id: string;
  version_number: string;
}

/** The versions with files of these hashes, the oldest of each, and with these ids, as far as the actor may see them. */
async function hostedVersions(
  db: Db,
  actor: Actor | null,
  { hashes, ids }: { hashes: readonly string[]; ids: readonly string[] },
): Promise<{ by_hash: Map<string, Hosted>; by_id: Map<string, Hosted> }> {
  type Row = Hosted & { sha1: string | null; status: VersionStatus; project_status: Status };
  const columns = db`v.id, v.project_id, v.version_number, v.status, p.status as project_status, v.date_published`;
  const rows =
    hashes.length + ids.length === 0
      ? []
      : await db<Row[]>`
        select ${columns}, f.sha1 from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id
        where f.sha1 = any(${[...new Set(hashes)]}::text[])
        union all
        select ${columns}, null from versions v join projects p on p.id = v.project_id
        where v.id = any(${[...new Set(ids)]}::text[])
        order by date_published desc, id desc`;
  const visible = await visibleVersions(db, rows, actor);
  return {
    // of several the oldest comes last and stays
    by_hash: new Map(visible.flatMap((row) => (row.sha1 === null ? [] : [[row.sha1, row] as const]))),
    by_id: new Map(visible.flatMap((row) => (row.sha1 === null ? [[row.id, row] as const] : []))),
  };
}

/** A version of a modpack that may be chosen. */
export type PackVersion = Pick<Version, 'id' | 'version_number' | 'version_type' | 'date_published'>;

/** Most versions that are offered to be chosen. */
const max_versions = 500;

/** The listed and archived versions of a project, newest first: 500 at most. */
export async function packVersions(db: Db, project_id: string): Promise<PackVersion[]> {
  return await db<PackVersion[]>`
    select id, version_number, version_type, date_published from versions
    where project_id = ${project_id} and status = any(${listedStatuses as string[]})
    order by date_published desc, id desc limit ${max_versions}`;
}
