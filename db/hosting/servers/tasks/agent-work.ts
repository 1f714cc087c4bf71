import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { createOperation, operationById } from '../operations/operations.ts';
import { errorOfOperation, isCancelled, type OperationError } from '../operations/rules.ts';
import type { Task } from './rows.ts';
import { fails, type Work } from './steps.ts';

/** Sends an operation to the agent of the server of a task. Refuses `server_not_found`, and `operation_mismatch` when its id is taken. */
export async function sendToAgent(
  { db, task, server, now }: Work<Task>,
  operation: { id: string; kind: string; args: object },
  timeout_ms: number,
): Promise<void> {
  if (!server) throw new Refused('server_not_found');
  const { server_id, actor_id } = task;
  const not_after = new Date(now.getTime() + timeout_ms);
  const args = { ...operation.args };
  const row = { ...operation, args, server_id, node_id: server.node_id, actor_id, not_after };
  if (!(await createOperation(db, row, now))) throw new Refused('operation_mismatch');
}

/** How an operation ended; null while it goes on. One that is unknown has failed. */
export async function agentEnd(
  db: Db,
  id: string,
): Promise<{ isDone: boolean; isCancelled: boolean; error: OperationError } | null> {
  const operation = await operationById(db, id);
  const failure = fails('operation_failed').fails;
  if (!operation) return { isDone: false, isCancelled: false, error: failure };
  if (operation.state === 'waiting' || operation.state === 'accepted') return null;
  const cancelled = isCancelled(operation.result);
  const error = cancelled ? failure : errorOfOperation(operation);
  return { isDone: operation.state === 'done', isCancelled: cancelled, error };
}
