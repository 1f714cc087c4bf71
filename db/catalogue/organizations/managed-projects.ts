import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { displayStatus, type Status } from '../projects/rules.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';

/** A project in the list of those who manage it. */
export interface ManagedProject {
  id: string;
  slug: string;
  title: string;
  status: Status;
  downloads: number;
  project_type: string;
  loaders: string[];
  icon_url: string | null;
}

/** Maximum projects of such a list, the newest first. */
const max_listed = 1000;

interface Row extends Omit<ManagedProject, 'project_type' | 'icon_url'> {
  archived: boolean;
  mrpack_loaders: string[];
  project_types: string[];
  icon_key: string | null;
}

const columns = (db: Db) => db`
  p.id, p.slug, p.title, p.status, p.archived, p.downloads, p.project_types, p.loaders, p.mrpack_loaders, p.icon_key`;

const listed = (settings: ReadContext['settings'], rows: readonly Row[]): ManagedProject[] =>
  rows.map(({ project_types, icon_key, archived, mrpack_loaders, ...row }) => ({
    ...row,
    project_type: v2ProjectType(project_types),
    loaders: displayLoaders({ loaders: row.loaders, mrpack_loaders }),
    status: displayStatus({ status: row.status, archived }),
    icon_url: mediaUrlOrNull(settings, icon_key),
  }));

/**
 * All projects of an organization, hidden ones too, the most downloaded first: for its members. Asks nobody who may see
 * them.
 */
export async function managedProjects(
  { sql: db, settings }: ReadContext,
  organization_id: string,
): Promise<ManagedProject[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from projects p
    where p.organization = ${organization_id} order by p.downloads desc, p.id limit ${max_listed}`;
  return listed(settings, rows);
}

/** The projects that a user owns and that no organization owns, by title: those that an organization may get. */
export async function projectsToGive(
  { sql: db, settings }: ReadContext,
  user_id: string,
): Promise<ManagedProject[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from team_members m join projects p on p.team = m.team_id
    where m.user_id = ${user_id} and m.is_owner and p.organization is null
    order by lower(p.title), p.id limit ${max_listed}`;
  return listed(settings, rows);
}
