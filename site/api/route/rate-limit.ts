import { LRUCache } from 'lru-cache';
import type { Pool } from '#db/sql.ts';

/** How many requests in how long; the whole count may come at once. */
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
  /** Counts one request of `key` (none with cost 0, one back with -1) and says whether it may go on. */
  hit(key: string, now: number, cost?: number): Verdict;
  /** Shares what was counted with the other processes now; the timer does it every half second by itself. */
  share(): Promise<void>;
}

interface Entry {
  arrival: number;
  /** Milliseconds added here that the database does not know yet. */
  unshared: number;
}

const share_every_ms = 500;
const clean_every_ms = 60_000;
const max_keys = 50_000;

/**
 * A limiter whose counts live in memory and are shared with other processes through the unlogged table `rate_limits`
 * about every half second: no request waits for SQL. Several processes may thus let through more than the count for
 * half a second. Only differences travel, so the clocks of machines need not agree. At most 50,000 keys are kept.
 */
export function createLimiter(sql: Pool, name: string, rate: Rate): Limiter {
  const entries = new LRUCache<string, Entry>({ max: max_keys });
  const dirty = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let cleaned = 0;

  const share = async () => {
    const keys = [...dirty].slice(0, 5_000);
    if (keys.length === 0) return;
    const rows = keys.flatMap((key) => {
      dirty.delete(key);
      const entry = entries.peek(key);
      if (!entry) return [];
      const added = entry.unshared;
      entry.unshared = 0;
      return [{ key: `${name}:${key}`, added }];
    });
    const ahead = await sql<Array<{ key: string; ahead_ms: number }>>`
      insert into rate_limits as r (key, arrival)
      select key, now() + added * interval '1 ms'
      from jsonb_to_recordset(${sql.json(rows)}) as t (key text, added double precision)
      order by key
      on conflict (key) do update
      set arrival = least(greatest(r.arrival, now()), now() + ${rate.per_ms} * interval '1 ms') + (excluded.arrival - now())
      returning key, (extract(epoch from arrival - now()) * 1000)::double precision as ahead_ms`;
    const now = Date.now();
    for (const { key, ahead_ms } of ahead) {
      const entry = entries.peek(key.slice(name.length + 1));
      if (entry) entry.arrival = Math.max(entry.arrival, now + ahead_ms + entry.unshared);
    }
    if (now - cleaned > clean_every_ms) {
      cleaned = now;
      await sql`delete from rate_limits where arrival < now()`; // a past arrival means the same as none
    }
  };

  const shareLater = () => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      share().catch(() => {}); // the database is away: each process limits for itself
      if (dirty.size > 0) shareLater();
    }, share_every_ms).unref();
  };

  return {
    rate,
    share,
    hit(key, now, cost = 1) {
      const entry = entries.get(key) ?? { arrival: 0, unshared: 0 };
      const { arrival, ...verdict } = judge(rate, entry.arrival, now, cost);
      entry.arrival = arrival; // also when refused: a bound that moves on with `now` would never end
      if (verdict.allowed && cost !== 0) {
        entry.unshared += (rate.per_ms / rate.count) * cost;
        entries.set(key, entry);
        dirty.add(key);
        shareLater();
      }
      return verdict;
    },
  };
}
