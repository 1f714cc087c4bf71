import type { Db } from '../../../platform/postgres/sql.ts';
import type { CatalogueVersion } from './catalogue.ts';

/** Most declarations that are read: more than any real server has. */
const max_rows = 5_000;

/**
 * Which of these versions an author calls incompatible with another one of them or with one that is present, whichever of the two
 * says so: title of the other, by ID of the version. One statement.
 */
export async function conflictsOf(
  db: Db,
  asked: readonly CatalogueVersion[],
  present: readonly CatalogueVersion[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (asked.length === 0) return found;
  const all = [...present, ...asked];
  const byVersion = new Map(all.map((one) => [one.version.id, one]));
  const byProject = new Map(all.map((one) => [one.project.id, one]));
  const rows = await db<Array<{ version_id: string; project_id: string }>>`
    select d.version_id, d.project_id from dependencies d
    where d.version_id = any(${[...byVersion.keys()]}::text[]) and d.dependency_type = 'incompatible'
      and d.project_id = any(${[...byProject.keys()]}::text[])
      and (d.dependency_version_id is null or d.dependency_version_id = any(${[...byVersion.keys()]}::text[]))
    order by d.id limit ${max_rows}`;
  const isAsked = new Set(asked.map(({ version }) => version.id));
  for (const { version_id, project_id } of rows) {
    const [one, other] = [byVersion.get(version_id)!, byProject.get(project_id)!];
    if (one.project.id === project_id) continue;
    // of two that are asked for, the first one named goes in
    const [leaves, stays] = isAsked.has(one.version.id) ? [one, other] : [other, one];
    if (isAsked.has(leaves.version.id) && !found.has(stays.version.id))
      found.set(leaves.version.id, stays.project.title);
  }
  return found;
}
