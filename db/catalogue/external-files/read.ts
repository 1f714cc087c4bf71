import type { Db } from '../../platform/postgres/sql.ts';
import { groupOf, limits, type PackFileGroup, type Permission } from './rules.ts';
import type { ExternalProject } from './shape.ts';

/** A file in the modpacks of a project that this site does not host. */
export interface PackFile {
  sha1: string;
  /** The last part of its path in the pack. */
  name: string;
  /** What is known about it. */
  permission: Permission | null;
  group: PackFileGroup;
  external_project_id: string | null;
  title: string | null;
  link: string | null;
  /** Its ID at another site, as far as staff said it. */
  flame_id: number | null;
  /** Whether it is in the pack, so that its team is asked about it; otherwise the pack only lists it. */
  is_override: boolean;
}

/** Whether the file with the hash of `c` is in a public version of this site. */
export const isHosted = (db: Db) => db`
  exists (select from files h join versions hv on hv.id = h.version_id join projects hp on hp.id = hv.project_id
    where h.sha1 = c.sha1 and hp.status in ('approved', 'archived', 'unlisted')
      and hv.status in ('listed', 'archived', 'unlisted'))`;

/** Whether the entry `c` of a modpack is in it, and not only listed. */
export const isOverridePath = (db: Db) => db`c.path ~ '^(client-|server-)?overrides/'`;

/**
 * What is in the modpacks of a project and comes from elsewhere: files of public versions are left out. By name, 4,096 at most,
 * in one query.
 */
export async function packFilesOf(db: Db, project_id: string): Promise<PackFile[]> {
  const rows = await db<
    Array<
      Pick<PackFile, 'sha1' | 'title' | 'link' | 'flame_id'> & {
        path: string;
        status: Permission | null;
        id: string | null;
      }
    >
  >`
    select distinct on (c.sha1) c.sha1, c.path, e.status, e.id, e.title, e.link, e.flame_project_id::float8 as flame_id
    from pack_files c join files f on f.id = c.file_id join versions v on v.id = f.version_id
      left join external_files x on x.sha1 = c.sha1 left join external_projects e on e.id = x.external_project_id
    where v.project_id = ${project_id} and not ${isHosted(db)}
    order by c.sha1, c.path limit ${limits.files}`;
  return rows
    .map(({ path, status, id, ...file }) => ({
      ...{ ...file, permission: status, group: groupOf(status), external_project_id: id },
      name: path.slice(path.lastIndexOf('/') + 1),
      is_override: /^(client-|server-)?overrides\//.test(path),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Which works: by id, by the hashes of their files, by their id at another site, or by a part of their title (empty: all). */
export interface ExternalFilter {
  ids?: readonly string[] | undefined;
  hashes?: readonly string[] | undefined;
  flame_ids?: readonly number[] | undefined;
  title?: string | null | undefined;
}

/** The works that match any of these, with up to 1,000 files each; 100 works at most. Source: api-v3 §5. */
export async function externalProjects(
  db: Db,
  { ids = [], hashes = [], flame_ids = [], title }: ExternalFilter,
): Promise<ExternalProject[]> {
  const pattern = title != null ? `%${title.trim().replaceAll(/[\\%_]/g, '\\$&')}%` : null;
  return await db<ExternalProject[]>`
    select e.id, e.title, e.status, e.link, e.exceptions, e.proof, e.flame_project_id::float8 as flame_project_id,
      e.inserted_at, e.inserted_by, e.updated_at, e.updated_by,
      coalesce((select json_agg(json_build_object('name', x.name, 'sha1', x.sha1)) from (
        select name, sha1 from external_files where external_project_id = e.id order by name, sha1 limit 1000) x), '[]') as linked_files
    from external_projects e
    where e.id = any(${ids as string[]}) or e.flame_project_id = any(${flame_ids as number[]}::bigint[])
      or (${pattern}::text is not null and coalesce(e.title, '') ilike ${pattern})
      or e.id in (select external_project_id from external_files where sha1 = any(${hashes as string[]}))
    order by e.updated_at desc, e.id limit 100`;
}
