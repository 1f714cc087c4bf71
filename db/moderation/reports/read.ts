import { inOrderOfIds } from '../../platform/id.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotSeeReport } from './rules.ts';
import { limits, type Report } from './shape.ts';

/** A report whose item is deleted names none. Source: api-behaviours §13. */
const columns = (db: Db) => db`
  id, report_type, coalesce(project_id, version_id, user_id, '') as item_id,
  case when num_nonnulls(project_id, version_id, user_id) = 0 then 'unknown' else item_type end as item_type,
  reporter, body, created, closed, thread_id`;

/** The reports with these ids that the actor may see, in this order. Source: api-v2 §10. */
export async function reportsByIds(db: Db, ids: readonly string[], actor: Actor): Promise<Report[]> {
  const rows = await db<Report[]>`select ${columns(db)} from reports where id = any(${ids as string[]})`;
  const visible = rows.filter((report) => whyNotSeeReport(report, actor) === null);
  return inOrderOfIds(ids, visible);
}

/** The report with this id, null when it does not exist or is hidden from the actor. */
export async function findReport(db: Db, id: string, actor: Actor): Promise<Report | null> {
  const [report] = await reportsByIds(db, [id], actor);
  return report ?? null;
}

/**
 * The open reports of the actor, oldest first; with `all`, moderators get everyone's. `count` is cut at the limit.
 * Source: api-v2 §10.
 */
export async function openReports(
  db: Db,
  actor: Actor,
  { count = limits.listed, all = false }: { count?: number; all?: boolean },
): Promise<Report[]> {
  const everyone = all && isModerator(actor);
  return await db<Report[]>`
    select ${columns(db)} from reports
    where not closed ${everyone ? db`` : db`and reporter = ${actor.user_id}`}
    order by created, id limit ${Math.min(count, limits.most_listed)}`;
}

/** The newest reports of a user, open and closed ones. */
export async function reportsOfUser(db: Db, user_id: string): Promise<Report[]> {
  return await db<Report[]>`
    select ${columns(db)} from reports where reporter = ${user_id} order by created desc, id limit ${limits.listed}`;
}

/** The id of the user's open report about an item, null without one: screens let nobody report the same twice. */
export async function openReportOn(
  db: Db,
  user_id: string,
  { item_type, item_id }: Pick<Report, 'item_type' | 'item_id'>,
): Promise<string | null> {
  const [row] = await db<Array<{ id: string }>>`
    select id from reports where reporter = ${user_id} and not closed and item_type = ${item_type}
      and coalesce(project_id, version_id, user_id) = ${item_id} order by created limit 1`;
  return row?.id ?? null;
}
