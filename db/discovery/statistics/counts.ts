import type { Db } from '../../platform/postgres/sql.ts';

/** Downloads of a version, as counted today. */
export interface VersionCount {
  id: string;
  version_number: string;
  name: string;
  downloads: number;
}

/** Downloads and followers of a project, as counted today. */
export interface ProjectCount {
  id: string;
  title: string;
  downloads: number;
  followers: number;
}

/** Rows of a table at most: the rest is small. */
const max_counts = 100;

/** The versions of a project that were published, the most downloaded first. */
export const versionCounts = (db: Db, project_id: string): Promise<VersionCount[]> =>
  db<VersionCount[]>`
    select id, version_number, name, downloads from versions
    where project_id = ${project_id} and status not in ('draft', 'scheduled')
    order by downloads desc, date_published desc, id limit ${max_counts}`;

/** The projects of an organization, the most downloaded first. */
export const projectCounts = (db: Db, organization_id: string): Promise<ProjectCount[]> =>
  db<ProjectCount[]>`
    select id, title, downloads, followers from projects where organization = ${organization_id}
    order by downloads desc, id limit ${max_counts}`;
