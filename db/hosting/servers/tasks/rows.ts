import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { operationById } from '../operations/operations.ts';
import type { OperationError } from '../operations/rules.ts';

/** Tasks of servers as they are stored: what all kinds share. */

export type TaskKind = 'restore' | 'change' | 'move' | 'run';

/** Steps in which a task that goes step by step has ended. */
export type EndStep = 'done' | 'failed' | 'cancelled';

/** A task; `Data` is what only its kind has. */
export interface Task<
  Kind extends TaskKind = TaskKind,
  Step extends string = string,
  Data extends object = object,
  Failure extends object = OperationError,
> {
  id: string;
  server_id: string;
  kind: Kind;
  actor_id: string | null;
  step: Step;
  /** A step that only waits is over then. */
  step_until: string | null;
  /** The server ran, and is started again at the end. */
  starts: boolean;
  cancelling: boolean;
  /** The backup that is restored. */
  backup_id: string | null;
  /** The backup of the state before. */
  safety_backup_id: string | null;
  from_node: string | null;
  to_node: string | null;
  schedule_id: string | null;
  data: Data;
  error: Failure | null;
  began: string;
  ended: string | null;
}

/** A task of any kind, whatever its failures are. */
export type AnyTask = Task<TaskKind, string, object, object>;

export const task_columns = [
  ...['id', 'server_id', 'kind', 'actor_id', 'step', 'step_until', 'starts', 'cancelling', 'backup_id'],
  ...['safety_backup_id', 'from_node', 'to_node', 'schedule_id', 'data', 'error', 'began', 'ended'],
];

/** The task of a kind with this id, or null. */
export async function taskById<T extends AnyTask>(db: Db, kind: T['kind'], id: string): Promise<T | null> {
  const [task] = await db<T[]>`
    select ${db(task_columns)} from server_tasks where id = ${id} and kind = ${kind}`;
  return task ?? null;
}

/** The task of a kind that is in progress on a server, or null: at most one, except of runs. */
export async function openTask<T extends AnyTask>(
  db: Db,
  kind: T['kind'],
  server_id: string,
): Promise<T | null> {
  const [task] = await db<T[]>`
    select ${db(task_columns)} from server_tasks
    where server_id = ${server_id} and kind = ${kind} and ended is null`;
  return task ?? null;
}

/** The kinds of the tasks that are in progress on a server. */
export async function openKinds(db: Db, server_id: string): Promise<Set<TaskKind>> {
  const found = await db<{ kind: TaskKind }[]>`
    select kind from server_tasks where server_id = ${server_id} and ended is null`;
  return new Set(found.map(({ kind }) => kind));
}

/** Whether content or loader of a server are being changed. A server that only starts again afterwards is free. */
export async function isChanging(db: Db, server_id: string): Promise<boolean> {
  const change = await openTask(db, 'change', server_id);
  return change !== null && change.step !== 'starting';
}

/**
 * The task that was requested with this id before, whatever has become of it; null when there is none. Refuses
 * `operation_mismatch` when the id belongs to something else.
 */
export async function requestedTask<T extends AnyTask>(
  db: Db,
  kind: T['kind'],
  id: string,
  isSame: (task: T) => boolean,
): Promise<T | null> {
  const [before] = await db<T[]>`select ${db(task_columns)} from server_tasks where id = ${id}`;
  if (!before && !(await operationById(db, id))) return null;
  if (before?.kind !== kind || !isSame(before)) throw new Refused('operation_mismatch');
  return before;
}

/** Servers whose tasks may have to go on, longest waiting first; for what no notice told. Runs of schedules tell their planes. */
export async function serversWithTasks(db: Db, limit: number): Promise<string[]> {
  const found = await db<{ server_id: string }[]>`
    select server_id from server_tasks where ended is null and kind <> 'run'
    group by server_id order by min(began), server_id limit ${limit}`;
  return found.map(({ server_id }) => server_id);
}
