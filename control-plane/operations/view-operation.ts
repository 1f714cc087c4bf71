import { refusalDescription } from '#content/refusal-description.ts';
import type { OperationView } from '#db/hosting/servers/operation-view.ts';
import type { OperationRow } from '#db/hosting/servers/operations/operations.ts';
import { Refused } from '#db/platform/errors.ts';
import { refusalOfAgent } from '../agents/ask-files.ts';

/** Whether an operation goes on. */
export const isOpen = ({ state }: Pick<OperationRow, 'state'>): boolean =>
  state === 'waiting' || state === 'accepted';

/** Why an operation that has ended did not do what it should; null when it did, and while it goes on. */
export function refusalOfOperation({
  state,
  result,
}: Pick<OperationRow, 'state' | 'result'>): Refused | null {
  if (state === 'done' || isOpen({ state })) return null;
  const { error, data, ...rest } = (result ?? {}) as { error?: unknown; data?: object };
  if (state === 'expired' && error !== 'operation_canceled') return new Refused('server_unreachable');
  // an agent of an older release
  if (error === 'unknown_kind') return new Refused('agent_outdated');
  return refusalOfAgent(error, data ?? rest);
}

/** An operation as its user sees it, in the language `locale`. */
export function viewOperation(operation: OperationRow, locale: string): OperationView {
  const { id: op_id, kind, state, progress, result } = operation;
  const refused = refusalOfOperation(operation);
  return {
    ...{ op_id, kind, state, progress },
    error: refused && { code: refused.code, description: refusalDescription(refused, locale) },
    result: state === 'done' ? (result as Record<string, unknown>) : null,
  };
}
