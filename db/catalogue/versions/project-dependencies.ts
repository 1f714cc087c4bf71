import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mapped } from '../../platform/runtime/pages.ts';
import { projectRefs, rowsInOrder } from '../projects/pages.ts';
import { type ProjectRow, projectOf } from '../projects/row.ts';
import type { Project } from '../projects/shape.ts';
import { refsByIds, rowsInOrder as versionRowsInOrder } from './pages.ts';
import { type VersionRow, versionOf } from './row.ts';
import { listedStatuses } from './rules.ts';
import type { Version } from './shape.ts';

/** Maximum of each kind in one response, newest first. */
const max_dependencies = 1000;

/** Maximum pairs of project and version to inspect. */
const max_pairs = 20_000;

/**
 * Dependencies of the listed and archived versions of a project: projects and versions that the actor may see, newest
 * first, fetched page by page as they are consumed. The caller checks whether the project itself is visible.
 * Source: api-v2 §4.
 */
export async function dependenciesOf(
  context: ReadContext,
  project_id: string,
  actor: Actor | null,
): Promise<{ projects: AsyncGenerator<Project>; versions: AsyncGenerator<Version> }> {
  const { settings } = context;
  const { projects, versions } = await dependencyRows(context.sql, project_id, actor);
  return {
    projects: mapped(projects, (row) => projectOf(settings, row)),
    versions: mapped(versions, (row) => versionOf(settings, row)),
  };
}

/** `dependenciesOf` as stored rows. */
export async function dependencyRows(
  db: Db,
  project_id: string,
  actor: Actor | null,
): Promise<{ projects: AsyncGenerator<ProjectRow>; versions: AsyncGenerator<VersionRow> }> {
  const named = await db<Array<{ project_id: string | null; version_id: string | null }>>`
    select d.project_id, d.dependency_version_id as version_id from dependencies d
    join versions v on v.id = d.version_id
    where v.project_id = ${project_id} and v.status = any(${listedStatuses as string[]})
    group by 1, 2 order by max(v.date_published) desc, 1, 2 limit ${max_pairs}`;
  const distinct = (ids: Array<string | null>) =>
    [...new Set(ids)].filter((id) => id !== null).slice(0, max_dependencies);
  const projects = await projectRefs(db, distinct(named.map((row) => row.project_id)), actor);
  const versions = await refsByIds(db, distinct(named.map((row) => row.version_id)), actor, {});
  projects.sort((a, b) => Date.parse(b.published) - Date.parse(a.published));
  versions.sort((a, b) => Date.parse(b.date_published) - Date.parse(a.date_published));
  return {
    projects: rowsInOrder(db, projects),
    versions: versionRowsInOrder(db, versions, {}),
  };
}
