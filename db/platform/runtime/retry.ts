import pRetry from 'p-retry';

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
export const retry = <T>(
  work: (attempt: number) => Promise<T>,
  {
    signal,
    min_ms = 100,
    max_ms = 60_000,
    max_failures = Infinity,
    isRetryable = () => true,
    onFailure,
  }: Options,
): Promise<T> =>
  pRetry((attempt) => work(attempt).catch(rethrow), {
    ...(signal ? { signal } : {}),
    retries: max_failures - 1,
    minTimeout: min_ms,
    maxTimeout: max_ms,
    factor: 2,
    randomize: true,
    shouldRetry: ({ error }) => isRetryable(error),
    onFailedAttempt: ({ error, attemptNumber }) => {
      if (!signal?.aborted) onFailure?.(error, attemptNumber);
    },
  });

/** Wraps a TypeError, because p-retry would not retry it. */
function rethrow(error: unknown): never {
  throw error instanceof TypeError ? new Error(error.message, { cause: error }) : error;
}
