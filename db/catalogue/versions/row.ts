import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import {
  fileKeyParameter,
  type MediaSettings,
  mediaUrl,
  versionFileKey,
} from '../../platform/storage/url.ts';
import { missingSources } from '../external-files/unanswered.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import { displayLoaders } from '../tags/rules.ts';
import { accessToMany } from '../teams/access.ts';
import type { Access } from '../teams/rules.ts';
import { areFilesHidden } from './hidden-files.ts';
import { type VersionStatus, whyNotSeeVersion } from './rules.ts';
import type { Version } from './shape.ts';

/** A version with its files, its dependencies and the status of its project. */
export interface VersionRow extends Omit<Version, 'changelog' | 'changelog_url' | 'files' | 'status'> {
  status: VersionStatus;
  /** Null when it was not requested. */
  changelog: string | null;
  mrpack_loaders: string[];
  ordering: number | null;
  files: Array<Omit<Version['files'][number], 'url' | 'id'> & { id: string }>;
  project_status: Status;
  /** What the addresses of files hold while the version or its project is hidden. */
  file_key: string;
  /** Of a version that is hidden because of files from elsewhere: where they are from. */
  missing_attribution: MissingAttribution[] | null;
}

/** A file with something in it that comes from elsewhere and that nobody answers for. Source: api-v3 §2.2. */
interface MissingAttribution {
  id: string;
  override_source:
    | { type: 'flame'; id: number; title: string; url: string; icon_url: string | null }
    | { type: 'unknown' };
}

/** `select` of complete rows `from versions v join projects p`; add the `where`. One round trip, files included. */
export const selectRows = (db: Db, { changelog = true } = {}) => db`
  select v.id, v.project_id, v.author_id, v.featured, v.name, v.version_number,
    ${changelog ? db`v.changelog` : db`null as changelog`},
    v.date_published, v.downloads, v.version_type, v.status, v.requested_status, v.game_versions, v.loaders,
    v.mrpack_loaders, v.environment, v.ordering, p.status as project_status, p.file_key,
    ${missingSources(db)} as missing_attribution,
    coalesce((select json_agg(json_build_object('id', f.id, 'hashes', json_build_object('sha1', f.sha1, 'sha512', f.sha512),
        'filename', f.filename, 'primary', f.is_primary, 'size', f.size, 'file_type', f.file_type)
        order by f.is_primary desc, f.filename collate "C")
      from files f where f.version_id = v.id), '[]') as files,
    coalesce((select json_agg(json_build_object('version_id', d.dependency_version_id, 'project_id', d.project_id,
        'file_name', d.file_name, 'dependency_type', d.dependency_type) order by d.id)
      from dependencies d where d.version_id = v.id), '[]') as dependencies
  from versions v join projects p on p.id = v.project_id`;

/** The version as a v2 response. Source: api-v2 §2.2. */
export function versionOf(settings: MediaSettings, row: VersionRow): Version {
  return {
    id: row.id,
    project_id: row.project_id,
    author_id: row.author_id,
    featured: row.featured,
    name: row.name,
    version_number: row.version_number,
    ...(row.changelog === null ? {} : { changelog: row.changelog }),
    changelog_url: null,
    date_published: row.date_published,
    downloads: row.downloads,
    version_type: row.version_type,
    status: row.status,
    requested_status: row.requested_status,
    game_versions: row.game_versions,
    loaders: displayLoaders(row),
    environment: row.environment,
    files: row.files.map((file) => ({
      id: file.id,
      hashes: file.hashes,
      url: fileUrl(settings, row, file),
      filename: file.filename,
      primary: file.primary,
      size: file.size,
      file_type: file.file_type,
    })),
    dependencies: row.dependencies,
  };
}

/**
 * The address of a file of a version, for somebody who may see the version: that of a hidden one holds a key, without which
 * the file looks absent.
 */
export function fileUrl(
  settings: MediaSettings,
  { project_id, id, file_key, ...row }: FileOwner,
  { filename }: { filename: string },
): string {
  const url = mediaUrl(settings, versionFileKey(project_id, id, filename));
  return areFilesHidden(row) ? `${url}?${fileKeyParameter}=${file_key}` : url;
}
type FileOwner = Pick<VersionRow, 'project_id' | 'id' | 'status' | 'project_status' | 'file_key'>;

/** The rows that the actor may see; loads the actor's access to projects only when a row is hidden. */
export async function visibleVersions<R extends Pick<VersionRow, 'project_id' | 'status' | 'project_status'>>(
  db: Db,
  rows: readonly R[],
  actor: Actor | null,
): Promise<R[]> {
  const hidden = ({ status, project_status }: R, access: Access) =>
    whyNotSeeProject(project_status, access) ?? whyNotSeeVersion(status, access);
  const anonymous_access: Access = { role: actor?.role ?? null, project: null, organization: null };
  const doubtful = rows.filter((row) => hidden(row, anonymous_access));
  const found = await accessToMany(
    db,
    actor ? [...new Set(doubtful.map(({ project_id }) => project_id))] : [],
    actor,
  );
  return rows.filter((row) => !hidden(row, found.get(row.project_id) ?? anonymous_access));
}
