import { assertAllowed, Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { cancelOperation, operationById } from '../operations/operations.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotHave, whyNotReadFiles } from '../rules.ts';
import { whyNotCancel } from './rules.ts';

/** How long the agent may take to accept it. */
const accept_ms = 60_000;

/**
 * Has an operation on files end, whoever began it: at once when its agent has not begun, otherwise as soon as the agent has
 * removed what it made. One that has ended stays as it is. Refuses as `whyNotHave.files`, `not_found`,
 * `operation_not_cancellable`, and as `whyNotReadFiles` when the agent is needed.
 */
export async function cancelFileOperation(
  db: Db,
  actor: Actor,
  { server_id, op_id }: { server_id: string; op_id: string },
  now: Date,
): Promise<void> {
  const { facts } = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.files);
  const operation = await operationById(db, op_id);
  if (operation?.server_id !== server_id) throw new Refused('not_found');
  assertAllowed(whyNotCancel(operation));
  if (operation.state !== 'waiting' && operation.state !== 'accepted') return;
  if (operation.state === 'accepted') assertAllowed(whyNotReadFiles(facts));
  const not_after = new Date(now.getTime() + accept_ms);
  const by = { by: 'file_cancel', error: 'operation_canceled', actor_id: actor.user_id, not_after };
  await cancelOperation(db, { op_id, ...by }, now);
}
