import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import { Refused } from '#db/errors.ts';
import type { RateLimit } from '../protocol/ack.ts';
import { callerOf } from './authenticate.ts';
import type { HandlerOptions } from './handle.ts';
import { limits, TokenBucket } from './rate-limit.ts';

/** How messages of one socket are admitted: each kind has its own rate, and a flood ends the socket. */
export function throttle(socket: Socket, log: Logger): (limit: RateLimit) => HandlerOptions {
  const { locale } = callerOf(socket);
  const started_at = performance.now();
  const buckets: Record<RateLimit, TokenBucket> = {
    commands: new TokenBucket(limits.commands, started_at),
    joins: new TokenBucket(limits.joins, started_at),
    calls: new TokenBucket(limits.calls, started_at),
  };
  let violations = 0;
  return (limit) => ({
    log,
    locale,
    admit() {
      if (buckets[limit].take(performance.now())) return;
      violations += 1;
      if (violations > limits.max_violations) socket.disconnect(true);
      // by then one more is allowed
      throw new Refused('too_fast', { retry_after_ms: Math.ceil(1000 / limits[limit]) });
    },
  });
}
