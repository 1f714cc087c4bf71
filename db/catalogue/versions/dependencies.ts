import { Refused } from '../../platform/errors.ts';
import type { Embedded } from '../../platform/files/mrpack.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { visibleProjects } from '../projects/read.ts';
import type { Status } from '../projects/rules.ts';
import { type DependencyReference, limits, openStatuses } from './rules.ts';

export interface DependencyRow {
  project_id: string | null;
  dependency_version_id: string | null;
  file_name: string | null;
  dependency_type: string;
}

/**
 * Dependency rows for the creator's input: naming a version also names its project. Entries with only a file name are
 * kept on edits only (`keepFileNames`). Locks the targets against deletion until the commit. Refuses
 * `dependency_unknown`.
 * Source: api-v2 §2.2, §5.1, §5.3.
 */
export async function resolveDependencies(
  tx: Db,
  dependencies: ReadonlyArray<DependencyReference & { dependency_type: string }>,
  { retainFileNames }: { retainFileNames: boolean },
): Promise<DependencyRow[]> {
  const projects = await projectsOfVersions(tx, present(dependencies.map(({ version_id }) => version_id)));
  const known = await existingProjects(tx, present(dependencies.map(({ project_id }) => project_id)));
  const rows = dependencies.map(({ version_id, project_id, file_name, dependency_type }) => {
    if (version_id && !projects.has(version_id)) throw new Refused('dependency_unknown', { id: version_id });
    if (project_id && !known.has(project_id)) throw new Refused('dependency_unknown', { id: project_id });
    return {
      project_id: (version_id && projects.get(version_id)) || project_id || null,
      dependency_version_id: version_id ?? null,
      file_name: retainFileNames ? (file_name ?? null) : null,
      dependency_type,
    };
  });
  return rows.filter((row) => row.project_id || row.file_name);
}

/**
 * Embedded dependencies of a modpack (`embeddedOf` in db/platform/files): files we host become their oldest version and its
 * project. Others keep only their name, also files of hidden versions and of projects that the actor may not see, so
 * that no hidden id leaks. At most as many as a creator may list. Source: api-v3 §9.3.
 */
export async function fromModpack(
  tx: Db,
  files: readonly Embedded[],
  actor: Actor,
): Promise<DependencyRow[]> {
  const found = await tx<Array<{ sha1: string; version_id: string; id: string; status: Status }>>`
    select distinct on (f.sha1) f.sha1, f.version_id, p.id, p.status
    from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id
    where f.sha1 = any(${files.flatMap(({ sha1 }) => sha1 ?? [])}::text[])
      and v.status = any(${openStatuses as string[]})
    order by f.sha1, v.date_published, v.id`;
  const hosted = await visibleProjects(tx, found, actor);
  const projects = await projectsOfVersions(tx, present(hosted.map(({ version_id }) => version_id)));
  const home = new Map(hosted.map(({ sha1, version_id }) => [sha1, version_id]));
  const rows = files.map(({ sha1, file_name }) => {
    const version_id = (sha1 && home.get(sha1)) || null;
    const project_id = (version_id && projects.get(version_id)) || null; // null: deleted just now
    return {
      project_id,
      dependency_version_id: project_id ? version_id : null,
      file_name: project_id ? null : file_name.replaceAll('\0', ''),
      dependency_type: 'embedded',
    };
  });
  const distinct = new Map(rows.map((row) => [JSON.stringify(row), row]));
  return [...distinct.values()].slice(0, limits.dependencies);
}

/** Replaces the dependencies of a version. */
export async function insertDependencies(
  tx: Db,
  version_id: string,
  rows: readonly DependencyRow[],
): Promise<void> {
  await tx`delete from dependencies where version_id = ${version_id}`;
  if (rows.length > 0) await tx`insert into dependencies ${tx(rows.map((row) => ({ version_id, ...row })))}`;
}

const present = (ids: ReadonlyArray<string | null | undefined>) =>
  [...new Set(ids.filter((id) => id != null))].sort();

async function projectsOfVersions(tx: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx<Array<{ id: string; project_id: string }>>`
    select id, project_id from versions where id = any(${ids}::text[]) order by id for key share`;
  return new Map(rows.map(({ id, project_id }) => [id, project_id]));
}

async function existingProjects(tx: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx<Array<{ id: string }>>`
    select id from projects where id = any(${ids}::text[]) order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}
