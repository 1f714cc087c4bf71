import type { Socket } from 'socket.io';
import { Refused } from '#db/platform/errors.ts';
import { judge } from '#db/platform/runtime/rate-limit.ts';
import type { PlaneContext } from '../context.ts';
import type { RateLimit } from '../protocol/ack.ts';
import { callerOf } from './authenticate.ts';
import type { HandlerOptions } from './handle.ts';
import { limits } from './limits.ts';

/**
 * Limits the messages of one socket: each kind has its own rate, and a flood closes the socket. A plane that no longer
 * counts as alive handles none.
 */
export function throttle(
  socket: Socket,
  { log, membership }: Pick<PlaneContext, 'log' | 'membership'>,
): (limit: RateLimit) => HandlerOptions {
  const { locale } = callerOf(socket);
  const arrivals: Record<RateLimit, number> = { commands: 0, joins: 0, calls: 0, uploads: 0 };
  let violations = 0;
  return (limit) => ({
    log,
    locale,
    admit() {
      membership.assertHeld();
      const verdict = judge({ count: limits[limit], per_ms: 1000 }, arrivals[limit], performance.now());
      arrivals[limit] = verdict.arrival;
      if (verdict.allowed) return;
      violations += 1;
      if (violations > limits.max_violations) socket.disconnect(true);
      // by then one more is allowed
      throw new Refused('too_fast', { retry_after_ms: Math.ceil(1000 / limits[limit]) });
    },
  });
}
