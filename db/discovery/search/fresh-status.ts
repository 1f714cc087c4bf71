import { setTimeout as wait } from 'node:timers/promises';
import type { SearchEngine } from './engine.ts';

const max_age_ms = 150;
const timeout_ms = 1_000;

/**
 * Current status of `engine`. The first call may return a cached status and start a refresh, so it is called again
 * after a moment, for up to a second until it is ready.
 */
export async function freshStatus<E extends SearchEngine>({ status }: E): Promise<ReturnType<E['status']>> {
  status();
  await wait(max_age_ms);
  for (let waited = 0; waited < timeout_ms && !status().ready; waited += 50) await wait(50);
  return status() as ReturnType<E['status']>;
}
