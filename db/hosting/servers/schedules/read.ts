import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer } from '../read.ts';
import { nextRuns } from './cron.ts';
import { type RunRow, type ScheduleRow, scheduleRows } from './rows.ts';
import { max_runs, max_schedules } from './rules.ts';
import type { RunView, ScheduleView } from './view.ts';

/** Next runs that are shown. */
const shown_runs = 3;

type ShownRun = RunRow & { by: string | null };

const runs = (db: Db, where: ReturnType<Db>, limit: number) => db<ShownRun[]>`
  select r.id, r.schedule_id, r.server_id, r.trigger, r.due, r.last_due, r.count, r.outcome, r.reason, r.steps, r.results,
    r.began, r.ended, u.username as by
  from server_schedule_runs r left join users u on u.id = r.asked_by
  where ${where} order by r.began desc, r.last_due desc, r.id limit ${limit}`;

function runView({ id, trigger, by, steps, results, ...row }: ShownRun): RunView {
  const { due, last_due, count, outcome, reason, began, ended } = row;
  return {
    ...{ id, trigger, by, due, last_due, count, outcome, reason, began, ended },
    steps: steps.map((step, at) => {
      const { state, began, ended, reason } = results[at]!;
      return { step, state, began, ended, reason };
    }),
  };
}

/** The schedules of a server by name, for events and for who may see the server. */
export async function scheduleViews(db: Db, server_id: string, now: Date): Promise<ScheduleView[]> {
  const rows = await scheduleRows(db, server_id);
  if (rows.length === 0) return [];
  const newest = await db<ShownRun[]>`
    select distinct on (r.schedule_id) r.id, r.schedule_id, r.server_id, r.trigger, r.due, r.last_due, r.count, r.outcome,
      r.reason, r.steps, r.results, r.began, r.ended, u.username as by
    from server_schedule_runs r left join users u on u.id = r.asked_by
    where r.server_id = ${server_id} order by r.schedule_id, r.ended is null desc, r.began desc, r.last_due desc`;
  const bySchedule = new Map(newest.map((run) => [run.schedule_id, runView(run)]));
  const people = await db<{ id: string; username: string }[]>`
    select id, username from users where id = any(${rows.flatMap(({ actor_id }) => actor_id ?? [])})`;
  const names = new Map(people.map(({ id, username }) => [id, username]));
  return rows.map((row) =>
    viewOf(row, names.get(row.actor_id ?? '') ?? null, bySchedule.get(row.id) ?? null, now),
  );
}

function viewOf(row: ScheduleRow, by: string | null, last_run: RunView | null, now: Date): ScheduleView {
  const { id, name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps } = row;
  const first = row.next_run === null ? [] : [new Date(row.next_run)];
  const later = first.flatMap((at) =>
    nextRuns(cron, timezone, new Date(Math.max(+at, +now)), shown_runs - 1),
  );
  return {
    ...{
      id,
      name,
      cron,
      timezone,
      enabled,
      only_when_empty,
      only_when_running,
      on_failure,
      steps,
      by,
      last_run,
    },
    next_runs: [...first, ...later].map((at) => at.toISOString()),
    ...{ broken: row.broken, revision: row.revision },
  };
}

/** The schedules of a server, and how many there may be. Refuses as `whyNotSee` says. */
export async function listSchedules(
  db: Db,
  actor: Actor,
  server_id: string,
  now: Date,
): Promise<{ schedules: ScheduleView[]; most: number }> {
  await findAuthorizedServer(db, actor, server_id, now);
  return { schedules: await scheduleViews(db, server_id, now), most: max_schedules };
}

/** The newest 50 runs of a schedule, newest first; none of an unknown one. Refuses as `whyNotSee` says. */
export async function scheduleRuns(
  db: Db,
  actor: Actor,
  { server_id, schedule_id }: { server_id: string; schedule_id: string },
  now: Date,
): Promise<RunView[]> {
  await findAuthorizedServer(db, actor, server_id, now);
  const found = await runs(db, db`r.server_id = ${server_id} and r.schedule_id = ${schedule_id}`, max_runs);
  return found.map(runView);
}
