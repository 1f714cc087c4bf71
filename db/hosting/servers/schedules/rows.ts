import type { Db } from '../../../platform/postgres/sql.ts';
import { type Task, task_columns } from '../tasks/rows.ts';
import type { outcomes, ScheduleStep, stepStates } from './rules.ts';
import type { Reason, ScheduleInput } from './view.ts';

/** Schedules and their runs as they are stored. */

export interface ScheduleRow extends Omit<ScheduleInput, 'steps'> {
  id: string;
  server_id: string;
  actor_id: string | null;
  steps: ScheduleStep[];
  next_run: string | null;
  broken: Reason | null;
  revision: number;
}

/** How far a step is, and what its end is known by. */
export interface StepResult {
  state: (typeof stepStates)[number];
  reason: Reason | null;
  began: string | null;
  ended: string | null;
  /** The operation or change of this step: tried again it is the same one. */
  op_id: string;
  /** The backup that it made. */
  backup_id?: string;
  /** Power as requested, with what was there before. */
  before?: { power: string; epoch: string | null; ended_at: string | null };
  /** A plane is at it until then: what only an agent can do. */
  claimed_until?: string | null;
  /** What an agent refused for a moment is not asked again before. */
  again?: string | null;
  /** A wait ends then. */
  until?: string;
}

interface RunData {
  trigger: 'time' | 'hand';
  /** First and last of those that it stands for: only runs that did not take place are counted together. */
  due: string;
  last_due: string;
  count: number;
  /** As they were when it began. */
  steps: ScheduleStep[];
  results: StepResult[];
}

/** A run of a schedule: its steps are those of the schedule, so `step` only says that it goes on, or how it ended. */
export interface Run extends Task<'run', (typeof outcomes)[number], RunData, Reason> {
  schedule_id: string;
}

/** A run together with the parts of its schedule that it goes by. */
export type OpenRun = Run & {
  schedule: Pick<
    ScheduleRow,
    'name' | 'actor_id' | 'on_failure' | 'only_when_empty' | 'only_when_running' | 'broken'
  >;
};

const schedule_columns = [
  ...[
    'id',
    'server_id',
    'actor_id',
    'name',
    'cron',
    'timezone',
    'enabled',
    'only_when_empty',
    'only_when_running',
  ],
  ...['on_failure', 'steps', 'next_run', 'broken', 'revision'],
];

/** The schedules of a server by name; `id` selects one. */
export const scheduleRows = (db: Db, server_id: string, id: string | null = null): Promise<ScheduleRow[]> =>
  db<ScheduleRow[]>`
    select ${db(schedule_columns)} from server_schedules
    where server_id = ${server_id} and ${id === null ? db`true` : db`id = ${id}`} order by lower(name), id`;

/** The runs of a server that are in progress; `id` selects one. */
export const openRuns = (db: Db, server_id: string, id: string | null = null): Promise<OpenRun[]> =>
  db<OpenRun[]>`
    select ${db(task_columns.map((name) => `r.${name}`))}, json_build_object('name', s.name, 'actor_id', s.actor_id,
      'on_failure', s.on_failure, 'only_when_empty', s.only_when_empty, 'only_when_running', s.only_when_running,
      'broken', s.broken) as schedule
    from server_tasks r join server_schedules s on s.id = r.schedule_id
    where r.server_id = ${server_id} and r.ended is null and ${id === null ? db`true` : db`r.id = ${id}`}
    order by r.began, r.id`;
