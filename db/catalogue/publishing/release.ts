import { recordEvent } from '../../platform/events/write.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { isFirstPublic, tellMembers } from '../projects/change-status.ts';
import { displayStatus, type Status } from '../projects/rules.ts';
import { recomputeAggregates } from '../versions/recompute-aggregates.ts';

/** Projects and versions of one run; the next run takes the others. */
const max_due = 500;

/**
 * Releases the projects and versions whose time has come, each in a transaction of its own: after a crash the next run
 * continues. What fails does not hold up the others; the first error is thrown in the end. Gives how many were released.
 * Source: api-behaviours §3, §17 (25).
 */
export async function releaseDue(sql: Pool, now: Date): Promise<number> {
  const due = await sql<Array<{ id: string; noun: 'project' | 'version' }>>`
    (select id, 'project' as noun from projects
      where status = 'scheduled' and scheduled_for <= ${now} order by scheduled_for, id limit ${max_due})
    union all
    (select id, 'version' from versions
      where status = 'scheduled' and scheduled_for <= ${now} order by scheduled_for, id limit ${max_due})`;
  const release = { project: releaseProject, version: releaseVersion };
  const errors: unknown[] = [];
  let released = 0;
  for (const { id, noun } of due) {
    try {
      if (await sql.begin((tx) => release[noun](tx, id, now))) released += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return released;
}

/** False when it was released or changed meanwhile. */
async function releaseProject(tx: Db, id: string, now: Date): Promise<boolean> {
  const [project] = await tx<
    Array<{
      team: string;
      requested_status: Status | null;
      archived: boolean;
      approved: string | null;
      first_public: string | null;
    }>
  >`
    select team, requested_status, archived, approved, first_public from projects
    where id = ${id} and status = 'scheduled' and scheduled_for <= ${now} for no key update`;
  if (!project) return false;
  const { team, requested_status, archived } = project;
  const status = requested_status ?? 'approved';
  const is_first = isFirstPublic(project, status);
  const columns = {
    ...{ status, scheduled_for: null, approved: project.approved ?? now },
    ...(is_first && { first_public: now }),
  };
  await tx`update projects set ${tx(columns)} where id = ${id}`;
  const data = {
    from: 'scheduled',
    to: displayStatus({ status, archived }),
    ...(is_first && { first: true as const }),
  };
  await recordEvent(tx, { name: 'project.moved', project_id: id, data });
  await tellMembers(tx, null, { id, team, status: 'scheduled' }, { to: status, now });
  return true;
}

/** The date of the version is that of its release; followers hear of it as of a new one. */
async function releaseVersion(tx: Db, id: string, now: Date): Promise<boolean> {
  const [of] = await tx<Array<{ project_id: string }>>`select project_id from versions where id = ${id}`;
  if (!of) return false;
  const { project_id } = of;
  await tx`select 1 from projects where id = ${project_id} for no key update`;
  const [version] = await tx<Array<{ status: string; version_number: string; version_type: string }>>`
    update versions
    set status = coalesce(requested_status, 'listed'), date_published = scheduled_for, scheduled_for = null,
      requested_status = null
    where id = ${id} and status = 'scheduled' and scheduled_for <= ${now}
    returning status, version_number, version_type`;
  if (!version) return false;
  await recomputeAggregates(tx, project_id);
  await recordEvent(tx, { name: 'version.published', project_id, version_id: id, data: version });
  return true;
}
