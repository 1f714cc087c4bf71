import { isId } from '../../platform/id.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { containing } from '../../platform/text/like-pattern.ts';
import type { ReportOutcome } from './rules.ts';
import type { Report } from './shape.ts';

/** Which reports moderators look at; unread ones are open, and no moderator had the last word. Source: screens §E.4. */
export const reportViews = ['all', 'unread', 'read', 'closed'] as const;
type ReportView = (typeof reportViews)[number];
export const reportOrders = ['oldest', 'newest'] as const;
export const reports_per_page = 15;

export interface ReportQuery {
  view: ReportView;
  order: (typeof reportOrders)[number];
  /** Searched in text, names and ids; the id of a report finds it in every view. */
  text: string;
  /** From 1. */
  page: number;
}

/** A report as moderators list it. */
export interface ListedReport extends Report {
  reporter_name: string;
  /** The name of the item; null once it is gone. */
  item_name: string | null;
  /** The project of a version. */
  item_of: string | null;
  /** The project of a project or version. */
  project_id: string | null;
  picture: string | null;
  /** Public messages of its thread. */
  messages: number;
  is_unread: boolean;
  /** What was decided when it was closed; null without a decision. */
  outcome: ReportOutcome | null;
  /** Whether something was written since the viewer last opened it, by others. */
  is_new: boolean;
}

type Row = Omit<ListedReport, 'picture'> & { picture_key: string | null; total: number };

/** One page of reports for moderators, and how many match, in one query. Checks no rule. Source: screens §E.4. */
export async function listReports(
  { sql, settings }: ReadContext,
  viewer_id: string,
  { view, order, text, page }: ReportQuery,
): Promise<{ reports: ListedReport[]; total: number }> {
  const like = containing(text);
  const inView = {
    all: sql`not f.closed`,
    unread: sql`not f.closed and f.is_unread`,
    read: sql`not f.closed and not f.is_unread`,
    closed: sql`f.closed`,
  }[view];
  const matches = sql`(
    f.body ilike ${like} or f.item_name ilike ${like} or f.item_of ilike ${like} or f.slug ilike ${like}
    or f.reporter_name::text ilike ${like} or f.item_id = ${text} or f.project_id = ${text} or f.thread_id = ${text})`;
  const wanted =
    text === '' ? inView : sql`((${inView}) and ${matches}) ${isId(text) ? sql`or f.id = ${text}` : sql``}`;
  const rows = await sql<Row[]>`
    select f.id, f.report_type, f.item_id, f.item_type, f.reporter, f.body, f.created, f.closed, f.outcome, f.thread_id,
      f.reporter_name, f.item_name, f.item_of, f.project_id, f.picture_key, f.is_unread,
      (select count(*)::int from thread_messages m
        where m.thread_id = f.thread_id and m.type = 'text' and not m.private) as messages,
      coalesce((select max(m.created) from thread_messages m
        where m.thread_id = f.thread_id and m.author_id is distinct from ${viewer_id}), f.created)
        > coalesce((select read_at from thread_reads d
          where d.thread_id = f.thread_id and d.user_id = ${viewer_id}), '-infinity') as is_new,
      f.total
    from (
      select f.*, count(*) over ()::int as total from (
        select r.id, r.report_type, r.reporter, r.body, r.created, r.closed, r.outcome, r.thread_id,
          coalesce(r.project_id, r.version_id, r.user_id, '') as item_id,
          case when num_nonnulls(r.project_id, r.version_id, r.user_id) = 0 then 'unknown'
            else r.item_type end as item_type,
          w.username as reporter_name, coalesce(p.title, v.name, u.username::text) as item_name,
          vp.title as item_of, coalesce(p.id, vp.id) as project_id, coalesce(p.slug, vp.slug) as slug,
          coalesce(p.icon_key, vp.icon_key, u.avatar_key) as picture_key,
          coalesce((select not m.hide_identity from thread_messages m
            where m.thread_id = r.thread_id and m.type = 'text' and not m.private
            order by m.created desc, m.id desc limit 1), true) as is_unread
        from reports r
        join users w on w.id = r.reporter
        left join projects p on p.id = r.project_id
        left join versions v on v.id = r.version_id
        left join projects vp on vp.id = v.project_id
        left join users u on u.id = r.user_id
      ) f
      where ${wanted}
      order by f.created ${order === 'newest' ? sql`desc` : sql``}, f.id
      limit ${reports_per_page} offset ${(page - 1) * reports_per_page}
    ) f
    order by f.created ${order === 'newest' ? sql`desc` : sql``}, f.id`;
  return {
    total: rows[0]?.total ?? 0,
    reports: rows.map(({ picture_key, total: _, ...report }) => ({
      ...report,
      picture: mediaUrlOrNull(settings, picture_key),
    })),
  };
}

/** Other reports about the same item, newest first, for whoever decides one of them. */
export const reportsAboutSame = (
  { sql }: Pick<ReadContext, 'sql'>,
  { id, item_id, item_type }: Report,
): Promise<Array<Pick<Report, 'id' | 'report_type' | 'created' | 'closed'>>> =>
  item_type === 'unknown'
    ? Promise.resolve([])
    : sql<Array<Pick<Report, 'id' | 'report_type' | 'created' | 'closed'>>>`
        select id, report_type, created, closed from reports
        where ${sql(`${item_type}_id`)} = ${item_id} and id <> ${id}
        order by created desc, id limit 10`;

/** What was decided about a report; null for one that is open, was closed without a decision, or does not exist. */
export async function outcomeOf(
  { sql }: Pick<ReadContext, 'sql'>,
  id: string,
): Promise<ReportOutcome | null> {
  const [row] = await sql<
    Array<{ outcome: ReportOutcome | null }>
  >`select outcome from reports where id = ${id}`;
  return row?.outcome ?? null;
}
