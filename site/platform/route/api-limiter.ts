import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { Verdict } from '#db/platform/runtime/rate-limit.ts';
import { createSharedLimiter } from '#db/platform/runtime/shared-rate-limit.ts';
import type { AppServices } from '../context.ts';
import { byNetwork } from '../http/network-limiter.ts';

/** A request to count. */
export interface Counted {
  /** The client's. */
  address: string;
  /** Its `x-ratelimit-key`; the right one lets it pass uncounted. */
  key?: string | string[] | undefined;
  /** See `requestCost`; 0 for what is free. */
  cost?: number;
}

/** The limit of API requests per client network, one for everything that answers them. Source: api-v2 §1.4. */
export interface ApiLimiter {
  hit(request: Counted): Verdict;
  /** As `hit`, but counts `incoming` only the first time: it may be answered elsewhere after all. */
  hitOnce(incoming: object | undefined, request: Counted): Verdict;
  /** Charges for a long answer once it is sent: one request for each 256 KiB on the line, the first apart. */
  chargeBytes(res: ServerResponse, request: Counted): void;
  /** The headers that every answer has: name, value. */
  headersOf(verdict: Verdict): string[];
}

const bytes_each = 256 * 1024;

/** The limiter of an API: RATE_LIMIT_PER_MINUTE, shared with the other processes; RATE_LIMIT_KEY skips it. */
export function apiLimiter({
  settings,
  sql,
  now,
}: Pick<AppServices, 'settings' | 'sql' | 'now'>): ApiLimiter {
  const requested = settings.RATE_LIMIT_PER_MINUTE;
  const limiter = byNetwork(createSharedLimiter(sql, 'api', { count: requested || 300, per_ms: 60_000 }));
  const limit = String(limiter.rate.count);
  const counted = new WeakMap<object, Verdict>();
  const secret = settings.RATE_LIMIT_KEY === undefined ? null : digest(settings.RATE_LIMIT_KEY);
  const isFree = ({ key }: Counted) =>
    requested === 0 || (secret !== null && typeof key === 'string' && timingSafeEqual(digest(key), secret));
  const hit = (request: Counted) =>
    limiter.hit(
      networkOf(request.address),
      now().getTime(),
      isFree(request) ? 0 : Math.min(request.cost ?? 1, limiter.rate.count),
    );
  return {
    hit,
    hitOnce(incoming, request) {
      const known = incoming && counted.get(incoming);
      if (known) return known;
      const verdict = hit(request);
      if (incoming) counted.set(incoming, verdict);
      return verdict;
    },
    chargeBytes(res, request) {
      const { socket } = res;
      if (!socket || isFree(request)) return;
      const before = socket.bytesWritten;
      res.once('close', () => {
        const cost = Math.floor((socket.bytesWritten - before) / bytes_each);
        if (cost > 0) limiter.charge(networkOf(request.address), now().getTime(), cost);
      });
    },
    headersOf: ({ remaining, reset_ms }) => [
      ...['x-ratelimit-limit', limit, 'x-ratelimit-remaining', String(remaining)],
      ...['x-ratelimit-reset', String(Math.ceil(reset_ms / 1000))],
    ],
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
