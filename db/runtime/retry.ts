import pRetry from 'p-retry';

interface Options {
  /** Aborts waiting and retrying: the promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Pause after the first failure; it doubles after each further one. */
  min_ms?: number;
  max_ms?: number;
  /** Number of failures after which the last error is thrown; unlimited by default. */
  max_failures?: number;
  /** Called after every failure. */
  onFailure?(error: Error, failures: number): void;
}

/**
 * Runs `work` until it succeeds, with exponential backoff from `min_ms` to `max_ms`. Gives its result. All retries
 * with backoff use this function; sockets use the backoff of Socket.IO.
 */
export const retry = <T>(
  work: (attempt: number) => Promise<T>,
  { signal, min_ms = 100, max_ms = 60_000, max_failures = Infinity, onFailure }: Options,
): Promise<T> =>
  pRetry((attempt) => work(attempt).catch(rethrow), {
    signal,
    retries: max_failures - 1,
    minTimeout: min_ms,
    maxTimeout: max_ms,
    factor: 2,
    onFailedAttempt: ({ error, attemptNumber }) => {
      if (!signal.aborted) onFailure?.(error, attemptNumber);
    },
  });

/** Wraps a TypeError, because p-retry would not retry it. */
function rethrow(error: unknown): never {
  throw error instanceof TypeError ? new Error(error.message, { cause: error }) : error;
}
