import { randomUUID } from 'node:crypto';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { addTask } from '../tasks/write.ts';
import type { Run, ScheduleRow, StepResult } from './rows.ts';
import { max_runs } from './rules.ts';
import type { Reason } from './view.ts';

interface NewRun {
  id?: string;
  trigger: 'time' | 'hand';
  asked_by?: string | null;
  due: Date;
}

/** Begins a run of a schedule; a control plane takes its first step as soon as it hears of it. Gives its id. */
export async function beginRun(
  db: Db,
  { id: schedule_id, server_id, steps }: Pick<ScheduleRow, 'id' | 'server_id' | 'steps'>,
  { id = randomUUID(), trigger, asked_by = null, due }: NewRun,
  now: Date,
): Promise<string> {
  const results = steps.map(
    (): StepResult => ({ state: 'waiting', reason: null, began: null, ended: null, op_id: randomUUID() }),
  );
  const at = due.toISOString();
  await addTask<Run>(db, {
    ...{
      id,
      server_id,
      kind: 'run',
      actor_id: asked_by,
      schedule_id,
      step: 'running',
      step_until: now,
      began: now,
    },
    data: { trigger, due: at, last_due: at, count: 1, steps, results },
  });
  await forgetOldRuns(db, schedule_id);
  return id;
}

/**
 * Stores that a run did not take place: `count` times from `due` to `last_due`. When that is what happened before too, the
 * row of that counts on, so that a condition that is rarely met does not push everything else out of the history.
 */
export async function storeUnmade(
  db: Db,
  { id: schedule_id, server_id }: Pick<ScheduleRow, 'id' | 'server_id'>,
  { outcome, reason, due, last_due, count }: Unmade,
  now: Date,
): Promise<void> {
  const [before] = await db<{ id: string }[]>`
    select id from (
      select id, step, error, data from server_tasks where schedule_id = ${schedule_id} and ended is not null
      order by began desc, data->>'last_due' desc limit 1) newest
    where step = ${outcome} and data->>'trigger' = 'time' and error->>'code' = ${reason.code}`;
  if (before) {
    const data = { last_due: last_due.toISOString() };
    await db`
      update server_tasks set data = data || ${db.json(data)} || jsonb_build_object('count', (data->>'count')::int + ${count}::int),
        began = ${now}, ended = ${now}
      where id = ${before.id}`;
    return;
  }
  const times = { due: due.toISOString(), last_due: last_due.toISOString(), count };
  const data: Run['data'] = { trigger: 'time', ...times, steps: [], results: [] };
  await db`insert into server_tasks ${db({
    ...{ id: randomUUID(), schedule_id, server_id, kind: 'run', step: outcome, began: now, ended: now },
    ...{ error: db.json(reason as never), data: db.json(data as never) },
  })}`;
  await forgetOldRuns(db, schedule_id);
}

interface Unmade {
  outcome: 'skipped' | 'missed' | 'failed';
  reason: Reason;
  due: Date;
  last_due: Date;
  count: number;
}

async function forgetOldRuns(db: Db, schedule_id: string): Promise<void> {
  await db`
    delete from server_tasks where ended is not null and id in (
      select id from server_tasks where schedule_id = ${schedule_id}
      order by ended is null desc, began desc, data->>'last_due' desc offset ${max_runs})`;
}

/** Tells alerts and the audit log that a run failed, or did not take place. */
export async function recordTrouble(
  db: Db,
  name: 'server.schedule_failed' | 'server.schedule_missed',
  schedule: { id: string; server_id: string; name: string; actor_id: string | null },
  reason: string,
): Promise<void> {
  const data = { schedule_id: schedule.id, name: schedule.name, reason };
  await recordEvent(db, { name, actor_id: schedule.actor_id, server_id: schedule.server_id, data });
}
