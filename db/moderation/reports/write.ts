import { visibleProjects } from '../../catalogue/projects/read.ts';
import type { Status } from '../../catalogue/projects/rules.ts';
import { accessTo } from '../../catalogue/teams/access.ts';
import { type VersionStatus, whyNotSeeVersion } from '../../catalogue/versions/rules.ts';
import { claimImages, keepImagesOf } from '../../messages/images/claim.ts';
import { notify } from '../../messages/notifications/write.ts';
import { addMessage } from '../../messages/threads/write.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { openReportOn } from './read.ts';
import {
  type ReportedBefore,
  type ReportOutcome,
  reports_per_day,
  whyNotDeleteReport,
  whyNotEditReport,
  whyNotReport,
} from './rules.ts';
import type { CreateData, EditData } from './shape.ts';

/**
 * Reports a project, version or user and opens the thread with the moderators; gives the report's id. Refuses
 * `report_item_unknown` (hidden items too), `report_open`, `too_many_reports`, `image_unknown`, `image_used`. Source:
 * api-v2 §10; api-behaviours §8; screens §E.4.
 */
export async function createReport(
  tx: Db,
  actor: Actor,
  { report_type, item_id, item_type, body, uploaded_images }: CreateData,
  now: Date,
): Promise<string> {
  if (!(await isVisible[item_type](tx, item_id, actor)))
    throw new Refused('report_item_unknown', { id: item_id });
  assertAllowed(whyNotReport(await reportedBefore(tx, actor, { item_type, item_id }, now)), {
    max: reports_per_day,
  });
  const [id, thread_id] = [newId(), newId()];
  // the report of a thread is checked at the commit
  await tx`insert into threads ${tx({ id: thread_id, type: 'report', report_id: id, created: now })}`;
  const item = { [`${item_type}_id`]: item_id };
  const row = { id, report_type, item_type, ...item, body, reporter: actor.user_id, created: now, thread_id };
  await tx`insert into reports ${tx(row as never)}`;
  await claimImages(tx, actor, uploaded_images, { context: 'report', id });
  await keepImagesOf(tx, actor, { context: 'report', id }, body); // those that only the text names
  await recordEvent(tx, { name: 'report.created', actor_id: actor.user_id, report_id: id, thread_id });
  await notify(tx, [actor.user_id], { type: 'report_submitted', body: { report_id: id } });
  return id;
}

/** What the actor reported so far; reports of one person wait for each other until the commit. */
async function reportedBefore(
  tx: Db,
  { user_id }: Actor,
  item: Pick<CreateData, 'item_type' | 'item_id'>,
  now: Date,
): Promise<ReportedBefore> {
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const since = new Date(now.getTime() - 86_400_000);
  const [row] = await tx<[{ today: number }]>`
    select count(*)::int as today from reports where reporter = ${user_id} and created > ${since}`;
  return { today: row.today, open: await openReportOn(tx, user_id, item) };
}

/** Whether the actor may see the item; locks it against deletion until the commit. */
const isVisible = {
  project: async (tx: Db, id: string, actor: Actor): Promise<boolean> => {
    const rows = await tx<Array<{ id: string; status: Status }>>`
      select id, status from projects where id = ${id} for key share`;
    return (await visibleProjects(tx, rows, actor)).length > 0;
  },
  version: async (tx: Db, id: string, actor: Actor): Promise<boolean> => {
    const [version] = await tx<Array<{ project_id: string; status: VersionStatus }>>`
      select project_id, status from versions where id = ${id} for key share`;
    if (!version || !(await isVisible.project(tx, version.project_id, actor))) return false;
    return whyNotSeeVersion(version.status, await accessTo(tx, version.project_id, actor)) === null;
  },
  user: async (tx: Db, id: string): Promise<boolean> =>
    (await tx`select 1 from users where id = ${id} for key share`).length > 0,
};

interface LockedReport {
  id: string;
  reporter: string;
  closed: boolean;
  thread_id: string;
}

async function lockReport(tx: Db, id: string): Promise<LockedReport> {
  const [row] = await tx<LockedReport[]>`
    select id, reporter, closed, thread_id from reports where id = ${id} for update`;
  if (!row) throw new Refused('not_found');
  return row;
}

/**
 * Changes the text, or closes and reopens the report, which its thread says. Refuses `not_found` (hidden ones too),
 * `report_closing`, `image_unknown`, `image_used`. Source: api-v2 §10; api-behaviours §8.
 */
export async function editReport(
  tx: Db,
  actor: Actor,
  id: string,
  { body, closed, uploaded_images }: EditData,
  now: Date,
): Promise<void> {
  const report = await lockReport(tx, id);
  assertAllowed(whyNotEditReport(report, { closed: closed != null }, actor));
  const target = { context: 'report' as const, id };
  if (body != null) await keepImagesOf(tx, actor, target, body);
  await claimImages(tx, actor, uploaded_images, target);
  const columns = {
    ...(body == null ? {} : { body }),
    // what was decided is over with it
    ...(closed == null || closed === report.closed ? {} : { closed, ...(closed ? {} : { outcome: null }) }),
  };
  const fields = Object.keys(columns).filter((field) => field !== 'outcome');
  if (fields.length === 0) return;
  await tx`update reports set ${tx(columns)} where id = ${id}`;
  if ('closed' in columns) {
    const type = closed ? ('thread_closure' as const) : ('thread_reopen' as const);
    const message = { type, body: {}, author_id: actor.user_id, hide_identity: true };
    await addMessage(tx, report.thread_id, message, now);
    if (report.reporter !== actor.user_id) {
      const news = { report_id: id, closed: closed === true };
      await notify(tx, [report.reporter], { type: 'report_status_updated', body: news });
    }
  }
  await recordEvent(tx, {
    name: 'report.edited',
    actor_id: actor.user_id,
    report_id: id,
    thread_id: report.thread_id,
    user_id: report.reporter,
    data: { fields, ...('closed' in columns && { to: closed ? ('closed' as const) : ('open' as const) }) },
  });
}

/**
 * Closes a report with what was decided about it, or changes what was decided. Refuses `not_found` (hidden ones too) and
 * `report_closing`.
 */
export async function decideReport(
  tx: Db,
  actor: Actor,
  id: string,
  outcome: ReportOutcome,
  now: Date,
): Promise<void> {
  await editReport(tx, actor, id, { closed: true }, now);
  const [before] = await tx<Array<{ outcome: ReportOutcome | null; thread_id: string; reporter: string }>>`
    select outcome, thread_id, reporter from reports where id = ${id}`;
  await tx`update reports set outcome = ${outcome} where id = ${id}`;
  if (!before?.outcome || before.outcome === outcome) return;
  // closing it is recorded above; that it was decided otherwise before is known only here
  await recordEvent(tx, {
    ...{ name: 'report.edited', actor_id: actor.user_id, report_id: id },
    ...{ thread_id: before.thread_id, user_id: before.reporter },
    data: { fields: ['outcome'], to: 'decided' },
  });
}

/**
 * Closes or reopens the report of a thread, in the transaction of the message that says why. Refuses `not_found` (threads
 * of something else too), `report_closing`.
 */
export async function setReportOfThread(
  tx: Db,
  actor: Actor,
  thread_id: string,
  closed: boolean,
  now: Date,
): Promise<void> {
  const [report] = await tx<Array<{ id: string }>>`select id from reports where thread_id = ${thread_id}`;
  if (!report) throw new Refused('not_found');
  await editReport(tx, actor, report.id, { closed }, now);
}

/**
 * Deletes a report with its thread and the images of both. Refuses `not_found` (hidden ones too), `moderators_only`.
 * Source: api-behaviours §8, §13.
 */
export async function removeReport(tx: Db, actor: Actor, id: string): Promise<void> {
  const report = await lockReport(tx, id);
  assertAllowed(whyNotDeleteReport(report, actor));
  await tx`delete from reports where id = ${id}`; // the thread, its messages and the images go with it
  const { thread_id } = report;
  await recordEvent(tx, { name: 'report.deleted', actor_id: actor.user_id, report_id: id, thread_id });
}
