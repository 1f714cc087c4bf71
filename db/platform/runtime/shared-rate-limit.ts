import { LRUCache } from 'lru-cache';
import type { Pool } from '../postgres/sql.ts';
import { type Limiter, LocalLimiter, type Rate } from './rate-limit.ts';

export interface SharedLimiter extends Limiter {
  /** Shares the counts with the other processes now; a timer does it every half second. */
  share(): Promise<void>;
}

const share_every_ms = 500;
const clean_every_ms = 60_000;
const max_keys = 50_000;
const max_batch = 5_000;

/**
 * A limiter whose counts live in memory and are shared with other processes through the unlogged table `rate_limits`
 * about every half second: no request waits for SQL. Several processes may thus allow more than the count for half a
 * second. Only differences are sent, so the clocks of machines need not agree. At most 50,000 keys are remembered.
 */
export function createSharedLimiter(sql: Pool, name: string, rate: Rate): SharedLimiter {
  const local = new LocalLimiter(rate, max_keys);
  /** Milliseconds added here, by key, that the database does not know yet. */
  const unshared = new LRUCache<string, number>({ max: max_keys });
  let timer: NodeJS.Timeout | undefined;
  let cleaned_at = 0;

  const share = async () => {
    const keys = [...unshared.rkeys()].slice(0, max_batch); // oldest first
    if (keys.length === 0) return;
    const rows = keys.map((key) => ({ key: `${name}:${key}`, added: unshared.peek(key)! }));
    for (const key of keys) unshared.delete(key);
    const ahead = await sql<Array<{ key: string; ahead_ms: number }>>`
      insert into rate_limits as r (key, arrival)
      select key, now() + added * interval '1 ms'
      from jsonb_to_recordset(${sql.json(rows)}) as t (key text, added double precision)
      order by key
      on conflict (key) do update
      set arrival = least(greatest(r.arrival, now()), now() + ${rate.per_ms} * interval '1 ms') + (excluded.arrival - now())
      returning key, (extract(epoch from arrival - now()) * 1000)::double precision as ahead_ms`;
    const now = Date.now();
    for (const row of ahead) {
      const key = row.key.slice(name.length + 1);
      local.advance(key, now + row.ahead_ms + (unshared.peek(key) ?? 0));
    }
    if (now - cleaned_at > clean_every_ms) {
      cleaned_at = now;
      await sql`delete from rate_limits where arrival < now()`; // a past arrival means the same as none
    }
  };

  const shareLater = () => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      share().catch(() => {}); // the database is away: each process limits for itself
      if (unshared.size > 0) shareLater();
    }, share_every_ms).unref();
  };

  const note = (key: string, cost: number) => {
    unshared.set(key, (unshared.peek(key) ?? 0) + (rate.per_ms / rate.count) * cost);
    shareLater();
  };

  return {
    rate,
    share,
    hit(key, now_ms, cost = 1) {
      const verdict = local.hit(key, now_ms, cost);
      if (verdict.allowed && cost !== 0) note(key, cost);
      return verdict;
    },
    charge(key, now_ms, cost) {
      local.charge(key, now_ms, cost);
      note(key, cost);
    },
  };
}
