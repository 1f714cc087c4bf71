import { isAway, refusedWith } from './engine.ts';

/** A step that could not be done, by a name that plane and panel know. Source: hosting §6. */
export type BrokenCode =
  | 'port_taken'
  | 'image_missing'
  | 'limit_refused'
  | 'disk_full'
  | 'name_taken'
  | 'kind_unknown'
  | 'docker_failed';

export class Broken extends Error {
  readonly code: BrokenCode;
  constructor(code: BrokenCode, detail = '') {
    super(detail || code);
    this.code = code;
  }
}

const words: readonly [RegExp, BrokenCode][] = [
  [/port is already allocated|address already in use|ports are not available/i, 'port_taken'],
  [/no such image|could not be had|manifest unknown|pull access denied/i, 'image_missing'],
  [/memory limit|range of CPUs|pids limit|cgroup/i, 'limit_refused'],
  [/no space left on device|disk quota exceeded/i, 'disk_full'],
  [/is already in use by container|name .* is already in use/i, 'name_taken'],
];

/** What an error means for a server; null when the engine did not answer, which means nothing for it. */
export function brokenBy(error: unknown): Broken | null {
  if (error instanceof Broken) return error;
  const { message, cause, code } = error as Error & { code?: string };
  if (cause && isAway(cause)) return null;
  if (isAway(error) && refusedWith(error) === null && code !== 'image_missing') return null;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new Broken('disk_full', message);
  const known = code === 'image_missing' ? 'image_missing' : words.find(([text]) => text.test(message))?.[1];
  return new Broken(known ?? 'docker_failed', message);
}
