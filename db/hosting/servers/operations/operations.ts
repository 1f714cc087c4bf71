import { randomUUID } from 'node:crypto';
import { Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { operationEvent } from '../activity/file-events.ts';

/** One-time operations for agents or by users on servers: each id is executed at most once. Source: hosting §5.3. */

export type OperationState = 'waiting' | 'accepted' | 'done' | 'failed' | 'interrupted' | 'expired';

export interface OperationRow {
  id: string;
  server_id: string;
  node_id: string | null;
  kind: string;
  args: Record<string, unknown>;
  state: OperationState;
  not_after: string;
  result: object | null;
  /** Bytes or files; null while nothing is known. */
  progress: OperationProgress | null;
  /** Null for those of the system. */
  actor_id: string | null;
}

interface OperationProgress {
  done: number;
  total: number | null;
}

const columns = [
  ...['id', 'server_id', 'node_id', 'actor_id', 'kind', 'args', 'state', 'not_after', 'result', 'progress'],
] as const;

/** The operation; `state` `done` for those that are complete once the desired state is stored, such as `start`. */
interface NewOperation {
  id: string;
  server_id: string;
  node_id: string | null;
  actor_id: string | null;
  kind: string;
  args?: Record<string, unknown>;
  state?: 'waiting' | 'done';
  not_after: Date;
}

/**
 * Stores an operation. Gives false when the same one is already stored: nothing is to be done again. Refuses
 * `operation_mismatch` when its id belongs to another server or another kind.
 */
export async function createOperation(db: Db, operation: NewOperation, now: Date): Promise<boolean> {
  const { args = {}, state = 'waiting', ...rest } = operation;
  const row = { ...rest, state, args: db.json(args as never), ended: state === 'done' ? now : null };
  const { count } = await db`insert into server_operations ${db(row)} on conflict (id) do nothing`;
  if (count === 1) return true;
  const [before] = await db<{ server_id: string; kind: string }[]>`
    select server_id, kind from server_operations where id = ${operation.id}`;
  if (before?.server_id !== operation.server_id || before.kind !== operation.kind)
    throw new Refused('operation_mismatch');
  return false;
}

/** Operations that a node's agent has not finished, oldest first; `id` selects one. */
export const openOperations = (db: Db, node_id: string, id: string | null = null): Promise<OperationRow[]> =>
  db<OperationRow[]>`
    select ${db([...columns])} from server_operations
    where node_id = ${node_id} and ended is null and ${id === null ? db`true` : db`id = ${id}`}
    order by created, id limit 500`;

export async function operationById(db: Db, id: string): Promise<OperationRow | null> {
  const [row] = await db<OperationRow[]>`select ${db([...columns])} from server_operations where id = ${id}`;
  return row ?? null;
}

/**
 * Ends an operation: one that its agent has not accepted never begins, with `error` as its result; another one is stopped by
 * its agent, by an operation of the kind `by`.
 */
export async function cancelOperation(
  db: Db,
  {
    op_id,
    by,
    error,
    ...who
  }: { op_id: string; by: string; error: string; actor_id: string; not_after: Date },
  now: Date,
): Promise<void> {
  await db`
    update server_operations set state = 'expired', ended = ${now}, result = ${db.json({ error })}
    where id = ${op_id} and state = 'waiting'`;
  const operation = await operationById(db, op_id);
  if (!operation?.node_id) return;
  const { server_id, node_id } = operation;
  await createOperation(db, { id: randomUUID(), server_id, node_id, kind: by, args: { op_id }, ...who }, now);
}

/** The agent has saved the operation and will execute it: from here on only its report ends it. */
export async function markAccepted(db: Db, id: string): Promise<void> {
  await db`update server_operations set state = 'accepted' where id = ${id} and state = 'waiting'`;
}

/** The result reported by the agent, in the caller's transaction; it counts even after the operation expired here. */
export async function finishOperation(
  db: Db,
  { id, node_id, state, result }: { id: string; node_id: string; state: OperationState; result: object },
  now: Date,
): Promise<void> {
  const [ended] = await db<Pick<OperationRow, 'server_id' | 'actor_id' | 'kind' | 'args'>[]>`
    update server_operations set state = ${state}, result = ${db.json(result as never)}, ended = ${now}
    where id = ${id} and node_id = ${node_id} and state not in ('done', 'failed')
    returning server_id, actor_id, kind, args`;
  const event = ended && state === 'done' ? operationEvent(ended) : null;
  if (event) await recordEvent(db, event);
}

/** Stores how far an operation of this node is; nothing once it has ended. The trigger of the table notifies all planes. */
export async function recordProgress(
  db: Db,
  { id, node_id, progress }: { id: string; node_id: string; progress: OperationProgress },
): Promise<void> {
  await db`
    update server_operations set progress = ${db.json(progress as never)}
    where id = ${id} and node_id = ${node_id} and ended is null`;
}

/** Whether a backup is replacing the files of a server now, or will as soon as its agent can. */
export async function isRestoring(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`
    select 1 from server_operations
    where server_id = ${server_id} and kind = 'backup_restore' and ended is null limit 1`;
  return row !== undefined;
}

/** An accepted operation whose agent lost its journal: the result is unknown. */
const expiredWithoutResult = '1 day';

/**
 * Ends operations that can no longer finish: those no agent accepted in time become `expired`, accepted ones without a
 * result `interrupted`. Gives their number.
 */
export async function expireOperations(db: Db, now: Date): Promise<number> {
  const { count } = await db`
    update server_operations set ended = ${now}, result = '{}',
      state = case state when 'waiting' then 'expired' else 'interrupted' end
    where ended is null and not_after < case state when 'waiting' then ${now}::timestamptz
      else ${now}::timestamptz - ${expiredWithoutResult}::interval end`;
  return count;
}

/** Operations that no agent has finished. */
export async function countOpenOperations(db: Db): Promise<number> {
  const [row] = await db`select count(*)::int as waiting from server_operations where ended is null`;
  return row?.waiting ?? 0;
}
