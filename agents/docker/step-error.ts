import type { ServerState } from '../plan/plan.ts';
import { isUnavailable, statusOf } from './client.ts';

/** Error of a step, by a code that control plane and panel know. Source: hosting §6. */
export type StepErrorCode =
  | 'port_taken'
  | 'image_missing'
  | 'limit_refused'
  | 'disk_full'
  | 'disk_failed'
  | 'machine_full'
  | 'name_taken'
  | 'kind_unknown'
  | 'network_open'
  | 'docker_failed';

export class StepError extends Error {
  readonly code: StepErrorCode;
  constructor(code: StepErrorCode, detail = '') {
    super(detail || code);
    this.code = code;
  }
}

const patterns: readonly [RegExp, StepErrorCode][] = [
  [/port is already allocated|address already in use|ports are not available/i, 'port_taken'],
  [/no such image|image \S+ is not available|manifest unknown|pull access denied/i, 'image_missing'],
  [/memory limit|range of CPUs|pids limit|cgroup/i, 'limit_refused'],
  [/no space left on device|disk quota exceeded/i, 'disk_full'],
  [/is already in use by container|name \S{1,300} is already in use/i, 'name_taken'],
];

/** Translates an error for a server; null when Docker did not answer, which says nothing about the server. */
export function toStepError(error: unknown): StepError | null {
  if (error instanceof StepError) return error;
  const { message, cause, code } = error as Error & { code?: string };
  if (cause && isUnavailable(cause)) return null;
  if (isUnavailable(error) && statusOf(error) === null && code !== 'image_missing') return null;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StepError('disk_full', message);
  const known =
    code === 'image_missing' ? 'image_missing' : patterns.find(([text]) => text.test(message))?.[1];
  return new StepError(known ?? 'docker_failed', message);
}

/** Seconds until a failed step is tried again, by the number of tries. */
const retry_s = [10, 30, 60, 300] as const;

/**
 * The stored error of a step that failed under `generation`, and whether to report it now. The same error is reported
 * once; one of Docker itself only when it repeats, since anything fails while Docker shuts down.
 */
export function nextRetry(
  { broken }: Pick<ServerState, 'broken'>,
  { code, message }: StepError,
  { generation, now }: { generation: number; now: number },
): NonNullable<ServerState['broken']> & { report: boolean } {
  const earlier = broken?.generation === generation ? broken : null;
  const same = earlier?.step === code ? earlier : null;
  const tries = (earlier?.tries ?? 0) + 1;
  const reported = same?.reported || code !== 'docker_failed' || same !== null;
  return {
    step: code,
    error: message.slice(0, 500),
    generation,
    tries,
    next: now + (retry_s[tries - 1] ?? retry_s[3]) * 1000,
    reported,
    report: reported && !same?.reported,
  };
}
