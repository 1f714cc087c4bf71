import { LRUCache } from 'lru-cache';

/** How much one client may send. Counts live in memory: a flood is met where it arrives. Source: hosting §5.2. */

export const limits = {
  /** Sockets of one user, and from one address. */
  sockets_per_user: 20,
  sockets_per_address: 300,
  /** Handshakes a second from one address, admitted or not: each queries the database. */
  handshakes: 100,
  /** Servers that one socket may join. */
  joined_servers: 200,
  /** Messages a second, of each kind; as many may come at once. */
  commands: 10,
  joins: 4,
  calls: 20,
  /** Messages over the rate before the socket is closed. */
  max_violations: 500,
} as const;

/** Allows `perSecond` events a second, and as many at once after a pause. */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #updated_at: number;

  constructor(perSecond: number, now_ms: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#updated_at = now_ms;
  }

  /** Whether one more may pass. */
  take(now_ms: number): boolean {
    const passed_s = Math.max(0, now_ms - this.#updated_at) / 1000;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + passed_s * this.#perSecond);
    this.#updated_at = now_ms;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** A bucket for each key, for the 10,000 that were used last. */
export class TokenBuckets {
  readonly #perSecond: number;
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: 10_000 });

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  take(key: string, now_ms: number): boolean {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new TokenBucket(this.#perSecond, now_ms);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(now_ms);
  }
}

/** Counts connections by key, up to a limit. */
export class ConnectionCounter {
  readonly #counts = new Map<string, number>();

  /** Counts one more unless there are `max` already; gives whether it did. */
  enter(key: string, max: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= max) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  leave(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
  }
}
