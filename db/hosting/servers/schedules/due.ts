import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { beginRun, recordTrouble, storeUnmade } from './begin.ts';
import { nextRun } from './cron.ts';
import type { ScheduleRow } from './rows.ts';
import { scheduleRows } from './rows.ts';
import { late_ms } from './rules.ts';

/** Due times that are counted one by one; of more, all are missed. */
const max_counted = 1_000;

/** Schedules that are due, longest waiting first. */
export async function dueSchedules(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: string; server_id: string }[]> {
  return await db<{ id: string; server_id: string }[]>`
    select id, server_id from server_schedules where next_run <= ${now} order by next_run, id limit ${limit}`;
}

/**
 * Begins the run of a schedule that is due, however many planes ask for it: the row of its server is locked, and its next
 * time is stored in the same transaction. What is later than two minutes, because no plane ran or the one before still goes on,
 * is missed: stored, told by an event, and not made up for.
 */
export async function runDue(
  sql: Pool,
  { id, server_id }: { id: string; server_id: string },
  now: Date,
): Promise<'begun' | 'missed' | 'none'> {
  return await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const [schedule] = await scheduleRows(tx, server_id, id);
    if (!schedule?.next_run || new Date(schedule.next_run) > now) return 'none';
    const { times, next } = passed(schedule, new Date(schedule.next_run), now);
    await tx`update server_schedules set next_run = ${next} where id = ${id}`;
    const last = times.at(-1)!;
    const isOnTime = times.length < max_counted && now.getTime() - last.getTime() <= late_ms;
    await miss(tx, schedule, isOnTime ? times.slice(0, -1) : times, 'schedule_late', now);
    if (!isOnTime) return 'missed';
    const [open] = await tx`select 1 from server_tasks where schedule_id = ${id} and ended is null`;
    if (open) {
      await miss(tx, schedule, [last], 'schedule_running', now);
      return 'missed';
    }
    await beginRun(tx, schedule, { trigger: 'time', due: last }, now);
    return 'begun';
  });
}

/** The due times from `first` up to `now`, and the one after it. */
function passed(
  { cron, timezone }: ScheduleRow,
  first: Date,
  now: Date,
): { times: Date[]; next: Date | null } {
  const times = [first];
  let next = nextRun(cron, timezone, first);
  while (next && next <= now && times.length < max_counted) {
    times.push(next);
    next = nextRun(cron, timezone, next);
  }
  return { times, next: next && next <= now ? nextRun(cron, timezone, now) : next };
}

async function miss(
  db: Db,
  schedule: ScheduleRow,
  times: readonly Date[],
  code: 'schedule_late' | 'schedule_running',
  now: Date,
): Promise<void> {
  const [due] = times;
  if (!due) return;
  const missed = { due, last_due: times.at(-1)!, count: times.length };
  await storeUnmade(db, schedule, { outcome: 'missed', reason: { code }, ...missed }, now);
  await recordTrouble(db, 'server.schedule_missed', schedule, code);
}

/**
 * Tells every plane of the servers whose runs wait for a time that has come, or for something that nothing told. Gives how
 * many there are.
 */
export async function wakeRuns(db: Db, now: Date, limit: number): Promise<number> {
  const { count } = await db`
    select pg_notify('hosting', 'tasks:' || server_id || ':schedules') from (
      select distinct server_id from server_tasks
      where kind = 'run' and ended is null and coalesce(step_until <= ${now}, true) limit ${limit}
    ) waiting`;
  return count;
}
