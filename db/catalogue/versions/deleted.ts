import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hiddenStatuses, type Status, whyNotSeeProject } from '../projects/rules.ts';
import { accessTo } from '../teams/access.ts';

/**
 * Addresses of a deleted version that was public say that it is gone (triggers of migration 0317 write it). A project that is
 * hidden from somebody, or deleted, answers as if it had never been there.
 */

/** A deleted version that was public. */
export interface DeletedVersion {
  version_number: string;
  /** When it was deleted. */
  deleted: string;
  /** By staff, not by its project's team. */
  by_staff: boolean;
}

/** The refusal of an address that says that its version is gone: `version_deleted` or `version_removed`. */
export const goneRefusal = ({ version_number, deleted, by_staff }: DeletedVersion): Refused =>
  new Refused(by_staff ? 'version_removed' : 'version_deleted', {
    version_number,
    deleted: new Date(deleted).toISOString().slice(0, 10),
  });

const columns = (db: Db) => db`d.version_number, d.deleted, d.by_staff`;

/** The deleted version with this id or number in a project that the caller may see, the last one of several; null for none. */
export async function deletedVersion(
  db: Db,
  project_id: string,
  names: readonly string[],
): Promise<DeletedVersion | null> {
  const asked = names.filter((name) => !name.includes('\0') && name.isWellFormed());
  const [row] = await db<DeletedVersion[]>`
    select ${columns(db)} from deleted_versions d
    where d.project_id = ${project_id} and (d.id = any(${asked}::text[]) or d.version_number = any(${asked}::text[]))
    order by d.deleted desc, d.id limit 1`;
  return row ?? null;
}

/** The deleted version with this id; null when there is none, or its project is hidden from the actor. */
export async function deletedVersionById(
  db: Db,
  id: string,
  actor: Actor | null,
): Promise<DeletedVersion | null> {
  const [row] = await db<Array<DeletedVersion & { project_id: string; status: Status }>>`
    select ${columns(db)}, d.project_id, p.status
    from deleted_versions d join projects p on p.id = d.project_id where d.id = ${id}`;
  if (!row) return null;
  const { project_id, status, ...deleted } = row;
  if (!hiddenStatuses.includes(status)) return deleted;
  return whyNotSeeProject(status, await accessTo(db, project_id, actor)) ? null : deleted;
}

/** The deleted version of a public project that had the file of this name; null for none. */
export async function deletedVersionOfFile(
  db: Db,
  { project_id, version_id, filename }: { project_id: string; version_id: string; filename: string },
): Promise<DeletedVersion | null> {
  const [row] = await db<DeletedVersion[]>`
    select ${columns(db)} from deleted_versions d join projects p on p.id = d.project_id
    where d.id = ${version_id} and d.project_id = ${project_id} and p.status <> all(${hiddenStatuses as string[]})
      and exists (select from withdrawn_files f where f.version_id = d.id and f.filename = ${filename})`;
  return row ?? null;
}
