import { setTimeout as wait } from 'node:timers/promises';
import { Backoff } from './backoff.ts';

interface Options {
  /** Ends pauses and retries: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Pause after the first failure; it doubles with each one. */
  min_ms?: number;
  max_ms?: number;
  /** Failures after which the last error is thrown; no limit by default. */
  max_failures?: number;
  /** Whether work that failed so is tried again; other errors are thrown at once. All are by default. */
  isRetryable?(error: Error): boolean;
  /** Called after every failure. */
  onFailure?(error: Error, failures: number): void;
}

/**
 * Runs `work` until it succeeds and gives its result. Pauses double from `min_ms` to `max_ms`; each is up to twice as
 * long by chance, so that processes do not retry at the same moment. Attempts that events start use `Backoff`.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  {
    signal,
    min_ms = 100,
    max_ms = 60_000,
    max_failures = Number.POSITIVE_INFINITY,
    isRetryable = () => true,
    onFailure,
  }: Options,
): Promise<T> {
  // the shortest pause of a `Backoff` is half of the bound
  const pauses = new Backoff({ min_ms: 2 * min_ms, max_ms });
  for (;;) {
    signal?.throwIfAborted();
    try {
      const result = await work(pauses.failures + 1);
      signal?.throwIfAborted();
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      const pause_ms = pauses.next();
      onFailure?.(error as Error, pauses.failures);
      if (pauses.failures >= max_failures || !isRetryable(error as Error)) throw error;
      await wait(pause_ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  }
}
