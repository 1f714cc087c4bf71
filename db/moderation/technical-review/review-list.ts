import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { type Severity, severities } from '../scanner/rules.ts';
import type { ReviewSearch } from './shape.ts';

/** The list of projects that wait for technical review. */

const orders = {
  severity_desc: (db: Db) => db`gravity desc, since, id`,
  severity_asc: (db: Db) => db`gravity, since, id`,
  created_asc: (db: Db) => db`since, id`,
  created_desc: (db: Db) => db`since desc, id`,
} as const;

/** The projects that wait for technical review, in order, and how many there are. Source: api-v3 §5. */
export async function searchReviews(
  db: Db,
  { limit, page, filter: { project_type, replied_to, project_status, issue_type }, sort_by }: ReviewSearch,
): Promise<{ ids: string[]; total: number }> {
  const rows = await db<Array<{ id: string; total: number }>>`
    select id, (count(*) over ())::int as total from (
      select p.id, min(r.created) as since,
        max(array_position(${severities as unknown as string[]}, r.severity)) as gravity
      from scan_reports r join files f on f.id = r.file_id join versions v on v.id = f.version_id
        join projects p on p.id = v.project_id
      where r.open
        ${project_type.length ? db`and p.project_types && ${project_type}` : db``}
        ${project_status.length ? db`and p.status = any(${project_status})` : db``}
        ${issue_type.length ? db`and exists (select from scan_issues i where i.report_id = r.id and i.issue_type = any(${issue_type}))` : db``}
        ${replied_to ? db`and ${repliedTo(db)} = ${replied_to === 'replied'}` : db``}
      group by p.id
    ) found order by ${orders[sort_by](db)} limit ${limit} offset ${page * limit}`;
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

/** Whether the last public message of somebody in the project's thread is of staff. */
const repliedTo = (db: Db) => db`
  coalesce((select u.role <> 'developer' from thread_messages m left join users u on u.id = m.author_id
    where m.thread_id = p.thread_id and m.type = 'text' and not m.private and m.author_id is not null
    order by m.created desc, m.id desc limit 1), false)`;

/** Who owns each of these projects, by their id. */
export async function ownersOf(
  { sql, settings }: ReadContext,
  project_ids: readonly string[],
): Promise<
  Record<string, { kind: 'user' | 'organization'; id: string; name: string; icon_url: string | null }>
> {
  const rows = await sql<
    Array<{
      project_id: string;
      kind: 'user' | 'organization';
      id: string;
      name: string;
      icon_key: string | null;
    }>
  >`
    select p.id as project_id, case when o.id is null then 'user' else 'organization' end as kind,
      coalesce(o.id, u.id) as id, coalesce(o.name, u.username::text) as name,
      case when o.id is null then u.avatar_key else o.icon_key end as icon_key
    from projects p left join organizations o on o.id = p.organization
      left join team_members m on m.team_id = p.team and m.is_owner and o.id is null left join users u on u.id = m.user_id
    where p.id = any(${project_ids as string[]}) and coalesce(o.id, u.id) is not null`;
  return Object.fromEntries(
    rows.map(({ project_id, icon_key, ...owner }) => [
      project_id,
      { ...owner, icon_url: mediaUrlOrNull(settings, icon_key) },
    ]),
  );
}

/** A project in the list of technical review. */
export interface ReviewSummary {
  project_id: string;
  severity: Severity;
  since: string;
  issue_types: string[];
  /** Traces that wait for a verdict. */
  undecided: number;
  /** Versions that are hidden meanwhile. */
  held: number;
}

/** What the list shows of these projects, in their order, in one query. */
export async function summariesOf(db: Db, project_ids: readonly string[]): Promise<ReviewSummary[]> {
  const rows = await db<Array<Omit<ReviewSummary, 'severity'> & { gravity: number }>>`
    select v.project_id, min(r.created) as since, count(distinct v.id) filter (where 'review' = any(v.held_for))::int as held,
      max(array_position(${severities as unknown as string[]}, r.severity)) as gravity,
      coalesce(array_agg(distinct i.issue_type) filter (where t.severity <> 'low'), '{}') as issue_types,
      count(*) filter (where t.severity <> 'low' and t.verdict is null and e.verdict is null)::int as undecided
    from scan_reports r join files f on f.id = r.file_id join versions v on v.id = f.version_id
      left join scan_issues i on i.report_id = r.id left join scan_traces t on t.issue_id = i.id
      left join trace_verdicts e on e.key = t.key
    where r.open and v.project_id = any(${project_ids as string[]}) group by v.project_id`;
  const byId = new Map(
    rows.map(({ gravity, ...row }) => [row.project_id, { ...row, severity: severities[gravity - 1]! }]),
  );
  return project_ids.flatMap((id) => byId.get(id) ?? []);
}
