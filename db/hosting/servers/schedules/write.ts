import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import { type Actor, accountOf } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import type { ServerRecord } from '../read.ts';
import { scopeFor, whyNotHave } from '../rules.ts';
import { requestedTask } from '../tasks/rows.ts';
import { beginRun } from './begin.ts';
import { cronText, nextRun, whyNotTimes } from './cron.ts';
import { scheduleRuns, scheduleViews } from './read.ts';
import { type Run, type ScheduleRow, scheduleRows } from './rows.ts';
import { max_schedules, rightsFor, scheduleName, whyNotSchedule } from './rules.ts';
import type { RunView, ScheduleInput, ScheduleView } from './view.ts';

/** What people do to schedules, each in the caller's transaction. All refuse as `whyNotHave.schedules` says. */

interface Target {
  server_id: string;
  schedule_id: string;
}

const lockForSchedules = (db: Db, actor: Actor, server_id: string, now: Date): Promise<ServerRecord> =>
  lockChangeableServer(db, actor, server_id, now, whyNotHave.schedules);

async function lockSchedule(
  db: Db,
  actor: Actor,
  { server_id, schedule_id }: Target,
  now: Date,
): Promise<{ server: ServerRecord; row: ScheduleRow }> {
  const server = await lockForSchedules(db, actor, server_id, now);
  const [row] = await scheduleRows(db, server_id, schedule_id);
  if (!row) throw new Refused('schedule_not_found');
  return { server, row };
}

async function viewed(db: Db, { server_id, schedule_id }: Target, now: Date): Promise<ScheduleView> {
  const found = (await scheduleViews(db, server_id, now)).find(({ id }) => id === schedule_id);
  if (!found) throw new Refused('schedule_not_found');
  return found;
}

/** The columns of a schedule that `actor` saves, who must have the rights of all its steps. */
async function checked(
  db: Db,
  actor: Actor,
  { server, schedule, own }: { server: ServerRecord; schedule: ScheduleInput; own: string | null },
  now: Date,
) {
  const { name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps } = schedule;
  const why = whyNotSchedule(name, steps) ?? whyNotTimes(cron, timezone, now);
  if (why) throw new Refused(why.code, why.data);
  for (const right of rightsFor(steps))
    assertAllowed(whyNotHave[right](actor, server.facts), { scope: scopeFor.change });
  const [taken] = await db`
    select 1 from server_schedules
    where server_id = ${server.view.id} and lower(name) = lower(${scheduleName(name)}) and id <> ${own ?? ''}`;
  assertAllowed(taken ? 'schedule_name_taken' : null);
  return {
    ...{
      name: scheduleName(name),
      cron: cronText(cron),
      timezone,
      enabled,
      only_when_empty,
      only_when_running,
    },
    ...{ on_failure, steps: db.json(steps as never), actor_id: accountOf(actor), broken: null },
    next_run: enabled ? nextRun(cronText(cron), timezone, now) : null,
  };
}

/**
 * Adds a schedule. Refuses `schedules_too_many`, `schedule_name_taken`, as `whyNotSchedule` and `whyNotTimes` say, and as
 * `whyNotHave` says of the rights of its steps.
 */
export async function addSchedule(
  db: Db,
  actor: Actor,
  { server_id, schedule }: { server_id: string; schedule: ScheduleInput },
  now: Date,
): Promise<ScheduleView> {
  const server = await lockForSchedules(db, actor, server_id, now);
  const there = await scheduleRows(db, server_id);
  assertAllowed(there.length >= max_schedules ? 'schedules_too_many' : null, { most: max_schedules });
  const row = await checked(db, actor, { server, schedule, own: null }, now);
  const id = newId();
  await db`insert into server_schedules ${db({ id, server_id, created: now, ...row })}`;
  await record(db, actor, 'server.schedule_added', { id, server_id, name: row.name });
  return await viewed(db, { server_id, schedule_id: id }, now);
}

/**
 * Saves a schedule anew, with the rights of who saves it from now on. `revision` is that of what they saw. Refuses as
 * `addSchedule`, `schedule_not_found` and `schedule_changed`.
 */
export async function changeSchedule(
  db: Db,
  actor: Actor,
  { revision, schedule, ...target }: Target & { revision: number; schedule: ScheduleInput },
  now: Date,
): Promise<ScheduleView> {
  const { server, row: before } = await lockSchedule(db, actor, target, now);
  assertAllowed(before.revision === revision ? null : 'schedule_changed');
  const row = await checked(db, actor, { server, schedule, own: before.id }, now);
  await store(db, before, row);
  await record(db, actor, 'server.schedule_changed', { ...before, name: row.name });
  return await viewed(db, target, now);
}

/**
 * Switches a schedule on or off; a run that is in progress goes on. Whoever switches it on gives it their rights. Refuses as
 * `changeSchedule`.
 */
export async function switchSchedule(
  db: Db,
  actor: Actor,
  { enabled, ...target }: Target & { enabled: boolean },
  now: Date,
): Promise<ScheduleView> {
  const { server, row: before } = await lockSchedule(db, actor, target, now);
  if (before.enabled !== enabled) {
    const row = enabled
      ? await checked(db, actor, { server, schedule: { ...before, enabled }, own: before.id }, now)
      : { enabled, next_run: null };
    await store(db, before, row);
    const name = enabled ? 'server.schedule_enabled' : 'server.schedule_disabled';
    await record(db, actor, name, before);
  }
  return await viewed(db, target, now);
}

const store = (db: Db, { id, revision }: ScheduleRow, row: object) =>
  db`update server_schedules set ${db({ ...row, revision: revision + 1 } as never)} where id = ${id}`;

/** Removes a schedule with its history; a run that is in progress takes no further step. Refuses `schedule_not_found`. */
export async function removeSchedule(db: Db, actor: Actor, target: Target, now: Date): Promise<void> {
  const { row } = await lockSchedule(db, actor, target, now);
  await db`delete from server_schedules where id = ${row.id}`;
  await record(db, actor, 'server.schedule_removed', row);
}

/**
 * Begins a run now, whatever its conditions are, with the rights of who saved the schedule. The same `op_id` twice is one run.
 * Refuses `schedule_not_found`, `schedule_running`, and `operation_mismatch` when the id belongs to another run.
 */
export async function runSchedule(
  db: Db,
  actor: Actor,
  { op_id, ...target }: Target & { op_id: string },
  now: Date,
): Promise<RunView> {
  const { row } = await lockSchedule(db, actor, target, now);
  const before = await requestedTask<Run>(db, 'run', op_id, (one) => one.schedule_id === row.id);
  if (!before) {
    const [open] = await db`select 1 from server_tasks where schedule_id = ${row.id} and ended is null`;
    assertAllowed(open ? 'schedule_running' : null);
    await beginRun(db, row, { id: op_id, trigger: 'hand', asked_by: accountOf(actor), due: now }, now);
    await record(db, actor, 'server.schedule_run_requested', row);
  }
  const run = (await scheduleRuns(db, actor, target, now)).find(({ id }) => id === op_id);
  if (!run) throw new Refused('schedule_not_found');
  return run;
}

type Name = `server.schedule_${'added' | 'changed' | 'enabled' | 'disabled' | 'removed' | 'run_requested'}`;

const record = (
  db: Db,
  actor: Actor,
  name: Name,
  { id, server_id, name: title }: Pick<ScheduleRow, 'id' | 'server_id' | 'name'>,
): Promise<void> =>
  recordEvent(db, { name, actor_id: actor.user_id, server_id, data: { schedule_id: id, name: title } });
