import { LRUCache } from 'lru-cache';

/** `count` requests in `per_ms` milliseconds; the whole count may come at once. */
export interface Rate {
  count: number;
  per_ms: number;
}

export interface Verdict {
  allowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Milliseconds until the whole count is free again. */
  reset_ms: number;
  /** Milliseconds until the next request is allowed; 0 when it is now. */
  retry_after_ms: number;
}

/**
 * Generic cell rate algorithm: each request moves the key's theoretical arrival time on by one interval; a request is
 * refused while that time lies further ahead than the whole period. Gives the new arrival too. Source: api-v2 §1.4.
 */
export function judge(
  { count, per_ms }: Rate,
  arrival: number,
  now: number,
  cost = 1,
): Verdict & { arrival: number } {
  const interval = per_ms / count;
  // a clock that was set back must not refuse for the length of the jump: nobody owes more than one whole period
  const from = Math.min(Math.max(arrival, now), now + per_ms);
  const next = from + interval * cost;
  const over = next - now - per_ms;
  // a thousandth of a millisecond of slack: sums of intervals are not exact
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
  /** Counts one request of `key` (none with cost 0, one back with -1) and gives whether it is allowed. */
  hit(key: string, now_ms: number, cost?: number): Verdict;
}

/** A limiter in the memory of this process, for the `max_keys` keys that were used last. */
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
    // also when refused: a bound that moves on with the clock would never end
    if (known !== undefined || cost !== 0) this.#arrivals.set(key, arrival);
    return verdict;
  }

  /** Moves the arrival time of a known key on to `arrival`, never back. */
  advance(key: string, arrival: number): void {
    const known = this.#arrivals.peek(key);
    if (known !== undefined && known < arrival) this.#arrivals.set(key, arrival);
  }
}
