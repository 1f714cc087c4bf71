import { once } from 'node:events';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { type OperationRow, operationById } from '#db/servers/operations.ts';
import { requestOperation } from '#db/servers/write.ts';
import type { PlaneContext } from '../context.ts';
import { type OperationKind, operationShapes } from '../protocol/agent.ts';

/** How long the agent has; panels wait 10 s for an answer. */
const timeout_ms = 8_000;

/** A message of a request that an operation answers: the rest of it are the operation's arguments. */
export interface OperationMessage {
  server_id: string;
  /** Made by the client: the same one twice runs once and gives the same result. */
  op_id: string;
}

/**
 * Runs an operation on the agent of a server and gives its result. Refuses as `requestOperation`, `operation_failed`, and
 * `server_unreachable` when there is no result in time.
 */
export async function runOperation(
  { sql, now, operationEnded }: Pick<PlaneContext, 'sql' | 'now' | 'operationEnded'>,
  actor: Actor,
  kind: OperationKind,
  { server_id, op_id, ...args }: OperationMessage,
): Promise<object> {
  const given_up = new AbortController();
  const signal = AbortSignal.any([given_up.signal, AbortSignal.timeout(timeout_ms)]);
  // from before it exists: its end may come before the transaction returns
  const ended = once(operationEnded, op_id, { signal }).catch(() => {});
  try {
    const not_after = new Date(now().getTime() + timeout_ms);
    const requested = { server_id, op_id, kind, args, not_after };
    const isNew = await sql.begin((tx) => requestOperation(tx, actor, requested, now()));
    const before = isNew ? null : await operationById(sql, op_id);
    if (before && !isOpen(before)) return resultOf(before, kind);
    await ended;
    return resultOf(await operationById(sql, op_id), kind);
  } finally {
    given_up.abort();
  }
}

const isOpen = ({ state }: OperationRow): boolean => state === 'waiting' || state === 'accepted';

function resultOf(operation: OperationRow | null, kind: OperationKind): object {
  if (!operation || isOpen(operation) || operation.state === 'expired')
    throw new Refused('server_unreachable');
  const parsed = operationShapes[kind].output.safeParse(operation.result);
  if (operation.state !== 'done' || !parsed.success) throw new Refused('operation_failed');
  return parsed.data;
}
