import { isUnavailable, statusOf } from '../docker/client.ts';
import type { ServerState } from './plan.ts';

/** A step that could not be done, by a name that plane and panel know. Source: hosting §6. */
export type StepErrorCode =
  | 'port_taken'
  | 'image_missing'
  | 'limit_refused'
  | 'disk_full'
  | 'disk_failed'
  | 'name_taken'
  | 'kind_unknown'
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
  [/no such image|could not be had|manifest unknown|pull access denied/i, 'image_missing'],
  [/memory limit|range of CPUs|pids limit|cgroup/i, 'limit_refused'],
  [/no space left on device|disk quota exceeded/i, 'disk_full'],
  [/is already in use by container|name .* is already in use/i, 'name_taken'],
];

/** What an error means for a server; null when the engine did not answer, which means nothing for it. */
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

/** Seconds until a broken step is tried again, by how often it was tried. */
const retry_s = [10, 30, 60, 300] as const;

/**
 * What is remembered of a step that could not be done under `generation`, and whether it is told now. The same trouble is
 * told once; one of the engine itself only when it comes back, since an engine on its way out fails at anything.
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
