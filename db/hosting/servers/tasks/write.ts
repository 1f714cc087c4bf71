import type { Db } from '../../../platform/postgres/sql.ts';
import { type AnyTask, task_columns } from './rows.ts';

/** How tasks are stored. The row of the server is locked. */

/** A task that begins; what is left out is empty. */
export type NewTask<T extends AnyTask> = Pick<T, 'id' | 'server_id' | 'kind' | 'actor_id' | 'data'> &
  Partial<Pick<T, 'backup_id' | 'safety_backup_id' | 'from_node' | 'to_node' | 'schedule_id' | 'starts'>>;

/** What becomes of a task; of `data` the named fields. */
export type TaskChange<T extends AnyTask> = Partial<
  Pick<T, 'step' | 'starts' | 'cancelling' | 'safety_backup_id' | 'to_node' | 'error'>
> & { data?: Partial<T['data']>; step_until?: Date | null; ended?: Date };

/** Stores a task in its first step. */
export async function addTask<T extends AnyTask>(
  db: Db,
  { data, ...task }: NewTask<T> & { step: T['step']; step_until: Date | null; began: Date },
): Promise<T> {
  const row = { ...task, data: db.json(data as never) };
  const [added] = await db<T[]>`
    insert into server_tasks ${db(row as never)} returning ${db(task_columns)}`;
  return added!;
}

/** Stores what has become of a task, and gives it as it is now. */
export async function updateTask<T extends AnyTask>(
  db: Db,
  { id, step }: Pick<T, 'id' | 'step'>,
  { data = {}, error, ...change }: TaskChange<T>,
): Promise<T> {
  const columns = {
    step,
    ...change,
    ...(error !== undefined && { error: error && db.json(error as never) }),
  };
  const [updated] = await db<T[]>`
    update server_tasks set ${db(columns as never)}, data = data || ${db.json(data as never)} where id = ${id}
    returning ${db(task_columns)}`;
  return updated!;
}
