import { once } from 'node:events';
import { operationById } from '#db/hosting/servers/operations/operations.ts';
import { requestOperation } from '#db/hosting/servers/write.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { PlaneContext } from '../context.ts';
import { type OperationKind, operationShapes } from '../protocol/agent.ts';
import { isOpen, refusalOfOperation } from './view-operation.ts';

/** How long the agent has to accept it, and how long its end is waited for; panels wait 10 s for an answer. */
const accept_ms = 7_000;
const wait_ms = 8_000;

/** A message of a request that an operation answers: the rest of it are the operation's arguments. */
export interface OperationMessage {
  server_id: string;
  /** Made by the client: the same one twice runs once and gives the same result. */
  op_id: string;
}

/**
 * Runs an operation on the agent of a server and gives its result; null when it goes on after 8 s. Refuses as
 * `requestOperation`, with the agent's refusal (`operation_failed` without one), and `server_unreachable` when the agent has not
 * accepted it: then it will not run.
 */
export async function runOperation(
  { sql, now, operationEnded }: Pick<PlaneContext, 'sql' | 'now' | 'operationEnded'>,
  actor: Actor,
  kind: OperationKind,
  { server_id, op_id, ...args }: OperationMessage,
): Promise<{ result: object | null }> {
  const given_up = new AbortController();
  const signal = AbortSignal.any([given_up.signal, AbortSignal.timeout(wait_ms)]);
  // from before it exists: its end may come before the transaction returns
  const ended = once(operationEnded, op_id, { signal }).catch(() => {});
  try {
    const not_after = new Date(now().getTime() + accept_ms);
    const requested = { server_id, op_id, kind, args, not_after };
    const isNew = await sql.begin((tx) => requestOperation(tx, actor, requested, now()));
    const before = isNew ? null : await operationById(sql, op_id);
    if (!before || isOpen(before)) await ended;
    const operation = await operationById(sql, op_id);
    if (!operation || operation.state === 'waiting') throw new Refused('server_unreachable');
    if (isOpen(operation)) return { result: null };
    const refused = refusalOfOperation(operation);
    if (refused) throw refused;
    const parsed = operationShapes[kind].output.safeParse(operation.result);
    if (!parsed.success) throw new Refused('operation_failed');
    return { result: parsed.data };
  } finally {
    given_up.abort();
  }
}
