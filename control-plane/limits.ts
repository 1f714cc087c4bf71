import { LRUCache } from 'lru-cache';

/** How much one caller may send; counts live in memory, since a flood is met where it arrives. Source: hosting §5.2. */

export const limits = {
  /** Sockets of one person, and from one address. */
  sockets_per_user: 20,
  sockets_per_address: 300,
  /** Handshakes a second from one address, let in or not: each asks the record. */
  knocks: 100,
  /** Servers one socket looks at. */
  joined_servers: 200,
  /** Messages a second; as many may come at once. */
  commands: 10,
  joins: 4,
  calls: 20,
  /** Messages too many before the socket is closed. */
  excess: 500,
} as const;

/** Lets `perSecond` things through, and as many at once after a pause. */
export class Bucket {
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(perSecond: number, now_ms: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
    this.#at = now_ms;
  }

  /** Whether one more may pass. */
  take(now_ms: number): boolean {
    const passed_s = Math.max(0, now_ms - this.#at) / 1000;
    this.#left = Math.min(this.#perSecond, this.#left + passed_s * this.#perSecond);
    this.#at = now_ms;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** A bucket for each key, for those heard of last. */
export class Buckets {
  readonly #perSecond: number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: 10_000 });

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  take(key: string, now_ms: number): boolean {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new Bucket(this.#perSecond, now_ms);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(now_ms);
  }
}

/** How many of each key there are, with a most. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** Counts one more unless there are `most` already; gives whether it did. */
  enter(key: string, most: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= most) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  leave(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
  }
}
