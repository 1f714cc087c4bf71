import { LRUCache } from 'lru-cache';

/** `count` requests in `per_ms` milliseconds; a burst may use the whole count. */
export interface Rate {
  count: number;
  per_ms: number;
}

export interface Verdict {
  allowed: boolean;
  /** Remaining requests of a burst. */
  remaining: number;
  /** Milliseconds until the whole count is available again. */
  reset_ms: number;
  /** Milliseconds until the next request is allowed; 0 when it is allowed now. */
  retry_after_ms: number;
}

/**
 * Generic cell rate algorithm: each request moves the key's theoretical arrival time on by one interval; a request is
 * refused while that time is further ahead than the whole period. Also gives the new arrival time. Source: api-v2
 * §1.4.
 */
export function judge(
  { count, per_ms }: Rate,
  arrival: number,
  now: number,
  cost = 1,
): Verdict & { arrival: number } {
  const interval = per_ms / count;
  // after the clock was set back, wait for one period at most, not for the length of the jump
  const from = Math.min(Math.max(arrival, now), now + per_ms);
  const next = from + interval * cost;
  const over = next - now - per_ms;
  // a tolerance of a thousandth of a millisecond: sums of intervals are not exact
  if (over > 0.001) {
    return {
      allowed: false,
      arrival: from,
      remaining: 0,
      reset_ms: from - now,
      retry_after_ms: Math.ceil(over),
    };
  }
  const remaining = Math.max(0, Math.floor((per_ms - (next - now) + 0.001) / interval));
  return { allowed: true, arrival: next, remaining, reset_ms: next - now, retry_after_ms: 0 };
}

export interface Limiter {
  rate: Rate;
  /** Counts one request of `key` (none with cost 0, returns one with -1) and gives whether it is allowed. */
  hit(key: string, now_ms: number, cost?: number): Verdict;
  /** Adds what a request turned out to cost, allowed or not: later requests wait for it, one period at most. */
  charge(key: string, now_ms: number, cost: number): void;
}

/** A limiter in the memory of this process, for the `max_keys` most recently used keys. */
export class LocalLimiter implements Limiter {
  readonly rate: Rate;
  /** The theoretical arrival time of each key. */
  readonly #arrivals: LRUCache<string, number>;

  constructor(rate: Rate, max_keys: number) {
    this.rate = rate;
    this.#arrivals = new LRUCache({ max: max_keys });
  }

  hit(key: string, now_ms: number, cost = 1): Verdict {
    const known = this.#arrivals.get(key);
    const { arrival, ...verdict } = judge(this.rate, known ?? 0, now_ms, cost);
    // also when refused: a limit that moves with the clock would never end
    if (known !== undefined || cost !== 0) this.#arrivals.set(key, arrival);
    return verdict;
  }

  charge(key: string, now_ms: number, cost: number): void {
    const { count, per_ms } = this.rate;
    const from = Math.max(this.#arrivals.get(key) ?? 0, now_ms);
    this.#arrivals.set(key, Math.min(from + (per_ms / count) * cost, now_ms + per_ms));
  }

  /** Moves the arrival time of a known key on to `arrival`, never back. */
  advance(key: string, arrival: number): void {
    const known = this.#arrivals.peek(key);
    if (known !== undefined && known < arrival) this.#arrivals.set(key, arrival);
  }
}
