import pRetry from 'p-retry';

interface Options {
  /** Ends waiting and retrying: the promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Pause after the first failure; it doubles with each one. */
  min_ms?: number;
  max_ms?: number;
  /** Failures after which the last error is thrown; none unless given. */
  max_failures?: number;
  /** Called after every failure. */
  onFailure?(error: Error, failures: number): void;
}

/**
 * Runs `work` until it succeeds, with pauses that double from `min_ms` to `max_ms`. Gives what `work` gives. Every retry
 * with a growing pause goes through here; sockets use the one of Socket.IO.
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

/** A TypeError is retried like any other error: p-retry would give up at once. */
function rethrow(error: unknown): never {
  throw error instanceof TypeError ? new Error(error.message, { cause: error }) : error;
}
