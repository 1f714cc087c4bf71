interface Bounds {
  min_ms: number;
  max_ms: number;
}

/**
 * Exponential backoff: milliseconds to wait after `failures` in a row, `min_ms` after the first, doubled by each
 * further one, at most `max_ms`.
 */
export const backoffMs = (failures: number, { min_ms, max_ms }: Bounds): number =>
  Math.min(max_ms, min_ms * 2 ** (failures - 1));

/**
 * Backoff with jitter for work that events start and end, such as a connection; use `retry` to retry a promise. Each
 * pause lasts between half and all of `backoffMs`, at random, so that many clients do not reconnect at the same
 * moment.
 */
export class Backoff {
  readonly #bounds: Bounds;
  readonly #random: () => number;
  #failures = 0;

  constructor(bounds: Bounds, random: () => number = Math.random) {
    this.#bounds = bounds;
    this.#random = random;
  }

  /** Failures since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure and gives the milliseconds to wait. */
  next(): number {
    this.#failures += 1;
    return backoffMs(this.#failures, this.#bounds) * (0.5 + this.#random() / 2);
  }

  /** Counts a success. */
  reset(): void {
    this.#failures = 0;
  }
}
