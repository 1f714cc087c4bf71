import type { Rate } from '#db/platform/runtime/rate-limit.ts';
import { createSharedLimiter, type SharedLimiter } from '#db/platform/runtime/shared-rate-limit.ts';
import type { AppServices } from '../../platform/context.ts';
import { byNetwork } from '../../platform/http/network-limiter.ts';

const hour_ms = 3_600_000;

/**
 * How many mails people may cause: to one account or address, so that nobody floods it, and from one network. Names that
 * nobody has are counted like all others, so that a refusal tells nothing.
 */
const rates = {
  'reset-account': { count: 5, per_ms: hour_ms },
  'reset-network': { count: 30, per_ms: hour_ms },
  'reset-link': { count: 60, per_ms: hour_ms },
  'verify-account': { count: 10, per_ms: hour_ms },
  'newsletter-address': { count: 3, per_ms: 24 * hour_ms },
  'newsletter-network': { count: 30, per_ms: hour_ms },
} as const;
export type MailLimits = Record<keyof typeof rates, SharedLimiter>;

/** Keys of some are networks. */
function limiterOf({ sql }: AppServices, name: string, rate: Rate): SharedLimiter {
  const limiter = createSharedLimiter(sql, `mail-${name}`, rate);
  return /network|reset-link/.test(name) ? byNetwork(limiter) : limiter;
}

const known = new WeakMap<AppServices, MailLimits>();

/** The limiters of this process: forms and API routes share them. */
export function mailLimits(services: AppServices): MailLimits {
  const made =
    known.get(services) ??
    (Object.fromEntries(
      Object.entries(rates).map(([name, rate]) => [name, limiterOf(services, name, rate)]),
    ) as MailLimits);
  known.set(services, made);
  return made;
}
