import type { Db } from '../../platform/postgres/sql.ts';

/** What happened to a project, for marks on charts. */
type ProjectEvent = { project_id: string; timestamp: string } & (
  | { kind: 'version_uploaded'; version_id: string; version_name: string; version_number: string }
  | { kind: 'status_changed'; status_from: string; status_to: string }
);

/** Marks of one chart: the latest ones. */
const max_events = 1000;

interface Row {
  project_id: string;
  at: string;
  version_id: string | null;
  first: string;
  second: string;
}

/**
 * Published versions and changes of status of projects in a time, the latest first, at most 1,000. Changes of status come
 * from the audit log, which is kept for a year. One statement. Source: api-v3 §3.13.
 */
export async function projectEvents(
  db: Db,
  project_ids: readonly string[],
  { from, until }: { from: Date; until: Date },
): Promise<ProjectEvent[]> {
  const ids = [...project_ids];
  const rows = await db<Row[]>`
    select project_id, date_published as at, id as version_id, name as first, version_number as second
    from versions where project_id = any(${ids}::text[]) and status not in ('draft', 'scheduled')
      and date_published >= ${from} and date_published < ${until}
    union all
    select subject_id, at, null, data ->> 'from', data ->> 'to' from audit_log
    where subject_type = 'project' and subject_id = any(${ids}::text[]) and name = 'project.moved'
      and at >= ${from} and at < ${until}
    order by at desc limit ${max_events}`;
  return rows.map(({ project_id, at: timestamp, version_id, first, second }) =>
    version_id
      ? {
          ...{ project_id, timestamp, kind: 'version_uploaded', version_id },
          ...{ version_name: first, version_number: second },
        }
      : { project_id, timestamp, kind: 'status_changed', status_from: first, status_to: second },
  );
}
