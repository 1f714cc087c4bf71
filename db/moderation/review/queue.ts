import { listedVersionStatuses } from '../../catalogue/projects/rules.ts';
import { firstScans } from '../../catalogue/scans/read.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { containing } from '../../platform/text/like-pattern.ts';
import type { QueueFilter, QueueSort, WaitingProject } from './shape.ts';

/** A waiting project as the queue's page lists it: with whether it was approved before, and who reviews it. */
interface QueueEntry extends WaitingProject {
  is_again: boolean;
  lock: { moderator_id: string; username: string } | null;
}

export interface QueuePage {
  /** How many projects the filter matches. */
  total: number;
  projects: QueueEntry[];
}

/** Since when it waits: projects that were brought from elsewhere were never submitted. */
const since = (db: Db) => db`coalesce(p.queued, p.published)`;

/** What a version depends on outside of this site: files named without a project. */
const external = (db: Db) => db`
  (select count(*)::int from versions v join dependencies d on d.version_id = v.id
    where v.project_id = p.id and v.status = any(${[...listedVersionStatuses]})
      and d.project_id is null and d.dependency_version_id is null and d.file_name is not null)`;

const orders: Record<QueueSort, (db: Db) => ReturnType<typeof since>> = {
  oldest: (db) => db`${since(db)}, p.id`,
  newest: (db) => db`${since(db)} desc, p.id desc`,
  most_external_deps: (db) => db`${external(db)} desc, ${since(db)}, p.id`,
  least_external_deps: (db) => db`${external(db)}, ${since(db)}, p.id`,
};

/** `%` and `_` of what somebody searches for mean themselves. */
const pattern = (text: string): string => containing(text.trim());

/** `from ... where ...` of what technical review has to look at in project `p`. */
const openReports = (db: Db) => db`
  from scan_reports r join files f on f.id = r.file_id join versions v on v.id = f.version_id
  where v.project_id = p.id and r.open`;

/** `from projects p ... where ...` of the projects that the filter matches, with owner `u` or organization `o`. */
const matching = (
  db: Db,
  { query, project_type, has_external_dependencies, exclude_technical_review }: QueueFilter,
) => db`
  from projects p
  left join organizations o on o.id = p.organization
  left join lateral (
    select m.user_id from team_members m where m.team_id = p.team and m.is_owner and p.organization is null limit 1
  ) owner on true
  left join users u on u.id = owner.user_id
  where p.status = 'processing'
    ${query?.trim() ? db`and (p.title ilike ${pattern(query)} or p.slug ilike ${pattern(query)} or u.username ilike ${pattern(query)} or o.name ilike ${pattern(query)})` : db``}
    ${project_type === undefined ? db`` : project_type === 'none' ? db`and p.project_types = '{}'` : db`and ${project_type} = any(p.project_types)`}
    ${exclude_technical_review ? db`and not exists (select ${openReports(db)})` : db``}
    ${has_external_dependencies === undefined ? db`` : db`and (${external(db)} > 0) = ${has_external_dependencies}`}`;

interface Row extends Omit<QueueEntry, 'icon_url' | 'ownership' | 'lock'> {
  icon_key: string | null;
  organization: { id: string; name: string; icon_key: string | null } | null;
  owner: { id: string; name: string; icon_key: string | null } | null;
  lock: QueueEntry['lock'];
}

/** A page of the queue, in two queries however many projects wait. Source: api-v3 §5. */
export async function queuePage(
  { sql, settings }: ReadContext,
  filter: QueueFilter,
  { count, offset, now }: { count: number; offset: number; now: Date },
): Promise<QueuePage> {
  const [[counted], rows] = await Promise.all([
    sql<Array<{ total: number }>>`select count(*)::int as total ${matching(sql, filter)}`,
    sql<Row[]>`
      with page as (
        select p.id, row_number() over (order by ${orders[filter.sort](sql)}) as place
        ${matching(sql, filter)} order by place limit ${count} offset ${offset}
      )
      select p.id, p.slug, p.title as name, p.description as summary, p.icon_key, p.status, p.requested_status, p.queued,
        p.published, p.updated, p.project_types, p.approved is not null as is_again,
        ${external(sql)} as external_dependencies_count,
        case when o.id is not null then json_build_object('id', o.id, 'name', o.name, 'icon_key', o.icon_key) end
          as organization,
        (select json_build_object('id', u.id, 'name', u.username, 'icon_key', u.avatar_key)
          from team_members m join users u on u.id = m.user_id where m.team_id = p.team and m.is_owner limit 1) as owner,
        (select json_build_object('moderator_id', l.moderator_id, 'username', r.username)
          from review_locks l join users r on r.id = l.moderator_id
          where l.project_id = p.id and l.expires_at > ${now}) as lock
      from page join projects p on p.id = page.id left join organizations o on o.id = p.organization
      order by page.place`,
  ]);
  const icon = (key: string | null) => mediaUrlOrNull(settings, key);
  const projects = rows.map(({ icon_key, organization, owner, ...row }): QueueEntry => {
    const kind = organization ? ('organization' as const) : ('user' as const);
    const by = organization ?? owner;
    const ownership = by && { kind, id: by.id, name: by.name, icon_url: icon(by.icon_key) };
    return { ...row, icon_url: icon(icon_key), ownership };
  });
  return { total: counted!.total, projects };
}

/** The ids of all projects that the filter matches, in order. Source: api-v3 §5. */
export async function queueIds(db: Db, filter: QueueFilter): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select p.id ${matching(db, filter)} order by ${orders[filter.sort](db)}`;
  return rows.map(({ id }) => id);
}

/** The number of waiting projects of each type, `none` for those without one. */
export async function queueTypes(db: Db): Promise<Map<string, number>> {
  const rows = await db<Array<{ type: string; count: number }>>`
    select coalesce(t.type, 'none') as type, count(*)::int as count
    from projects p left join lateral unnest(p.project_types) as t (type) on true
    where p.status = 'processing' group by 1`;
  return new Map(rows.map(({ type, count }) => [type, count]));
}

/**
 * The first project of the filter that is neither skipped nor under review by somebody else, and how many of them there
 * are.
 */
export async function nextWaiting(
  db: Db,
  moderator_id: string,
  { filter, skipped, now }: { filter: QueueFilter; skipped: readonly string[]; now: Date },
): Promise<{ id: string | null; left: number }> {
  const [row] = await db<Array<{ id: string; left: number }>>`
    select p.id, (count(*) over ())::int as left ${matching(db, filter)}
      and p.id <> all(${skipped as string[]})
      and not exists (select from review_locks l
        where l.project_id = p.id and l.moderator_id <> ${moderator_id} and l.expires_at > ${now})
      and not exists (select ${firstScans(db, now)} and v.project_id = p.id)
    order by ${orders[filter.sort](db)} limit 1`;
  return row ?? { id: null, left: 0 };
}
