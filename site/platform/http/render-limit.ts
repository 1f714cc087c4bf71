import type { ServerResponse } from 'node:http';
import { Refused } from '#db/platform/errors.ts';
import { createSharedLimiter } from '#db/platform/runtime/shared-rate-limit.ts';
import type { AppServices } from '../context.ts';

/**
 * How many requests one network may make in a minute, as a multiple of the API's limit: people open many pages at once.
 */
const factor = 4;

/**
 * Counts answers that cost work (uncached pages, Open Graph images, external images) by network, apart from the API's
 * count. Answers 429 itself and gives false over the limit. RATE_LIMIT_PER_MINUTE=0 turns it off.
 */
export function renderLimit({
  settings,
  sql,
  now,
}: Pick<AppServices, 'settings' | 'sql' | 'now'>): (res: ServerResponse, network: string) => boolean {
  const count = settings.RATE_LIMIT_PER_MINUTE * factor;
  if (count === 0) return () => true;
  const limiter = createSharedLimiter(sql, 'render', { count, per_ms: 60_000 });
  return (res, network) => {
    const { allowed, retry_after_ms } = limiter.hit(network, now().getTime());
    if (allowed) return true;
    const retry_after_seconds = Math.ceil(retry_after_ms / 1000);
    const { message } = new Refused('rate_limited', { retry_after_ms, retry_after_seconds });
    res
      .writeHead(429, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'retry-after': String(retry_after_seconds),
      })
      .end(JSON.stringify({ error: 'ratelimit_error', description: message }));
    return false;
  };
}
