import { type RefusalCode, refusals } from '../../../platform/errors.ts';

/** Why work of an agent failed. `data` fills the text of the refusal. */
export interface OperationError {
  code: RefusalCode;
  retryable: boolean;
  data?: Record<string, string | number>;
}

/** Trying again changes nothing about these. */
const lasting: readonly RefusalCode[] = ['backup_damaged', 'backup_not_found', 'agent_outdated'];
/** What an agent or a control plane answers instead of a refusal. */
const answers = new Map<string, RefusalCode>([
  ['unknown_kind', 'agent_outdated'],
  ['invalid', 'agent_outdated'],
  ['expired', 'server_unreachable'],
  ['interrupted', 'backup_interrupted'],
]);

/** The end of an operation that did not do its work, as agents report it: `error` is a refusal code where it is known. */
export function errorOfOperation({
  state,
  result,
}: {
  state: string;
  result: object | null;
}): OperationError {
  const { error, data, retryable } = (result ?? {}) as Record<string, unknown>;
  const said = typeof error === 'string' ? error : '';
  const code =
    answers.get(state) ??
    (Object.hasOwn(refusals, said) ? (said as RefusalCode) : (answers.get(said) ?? 'operation_failed'));
  const filled = fitting(data);
  // a text with a gap is worse than a general one
  const gaps = [...refusals[code][1].matchAll(/\{(\w+)\}/g)].some(([, name]) => !(name! in filled));
  return {
    code: gaps ? 'operation_failed' : code,
    retryable: typeof retryable === 'boolean' ? retryable : !lasting.includes(code),
    ...(gaps || Object.keys(filled).length === 0 ? {} : { data: filled }),
  };
}

/** Short texts and numbers of the data of a refusal. */
const fitting = (data: unknown): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(typeof data === 'object' && data !== null ? data : {})
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .slice(0, 10)
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, 300) : value]),
  );

/** Whether an agent says that it was cancelled. */
export const isCancelled = (result: object | null): boolean =>
  (result as { error?: unknown } | null)?.error === 'cancelled';
