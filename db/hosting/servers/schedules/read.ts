import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer } from '../read.ts';
import { nextRuns } from './cron.ts';
import { type Run, type ScheduleRow, scheduleRows } from './rows.ts';
import { max_runs, max_schedules } from './rules.ts';
import type { RunView, ScheduleView } from './view.ts';

/** Next runs that are shown. */
const shown_runs = 3;

type ShownRun = Omit<RunView, 'steps'> & Pick<Run, 'schedule_id'> & Pick<Run['data'], 'steps' | 'results'>;

/** Times of it are read as those of columns, so that all are written alike. */
const shown = (db: Db) => db`
  r.id, r.schedule_id, r.data->>'trigger' as trigger, (r.data->>'due')::timestamptz as due,
    (r.data->>'last_due')::timestamptz as last_due, (r.data->>'count')::int as count, r.step as outcome, r.error as reason,
    r.data->'steps' as steps, r.data->'results' as results, r.began, r.ended, u.username as by
  from server_tasks r left join users u on u.id = r.actor_id`;

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
    select distinct on (r.schedule_id) ${shown(db)} where r.server_id = ${server_id} and r.kind = 'run'
    order by r.schedule_id, r.ended is null desc, r.began desc, last_due desc`;
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
  const found = await db<ShownRun[]>`
    select ${shown(db)} where r.server_id = ${server_id} and r.schedule_id = ${schedule_id}
    order by r.began desc, last_due desc, r.id limit ${max_runs}`;
  return found.map(runView);
}
