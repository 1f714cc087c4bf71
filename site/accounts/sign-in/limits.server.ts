import { tellOwner } from '#db/accounts/account/tell-owner.ts';
import { Refused } from '#db/platform/errors.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { Limiter, Rate } from '#db/platform/runtime/rate-limit.ts';
import { createSharedLimiter, type SharedLimiter } from '#db/platform/runtime/shared-rate-limit.ts';
import type { AppServices } from '../../platform/context.ts';
import { byNetwork } from '../../platform/http/network-limiter.ts';

const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;

/**
 * The limits of signing in and up. Wrong answers count, right ones don’t; nobody is locked out of a network where they
 * signed in before by guesses from elsewhere. Source: decisions §1.5.
 */
const rates = {
  /** Failed sign-ins of one account from one network. */
  pair: { count: 10, per_ms: 10 * minute_ms },
  /** Failed sign-ins from one network. */
  network: { count: 60, per_ms: 10 * minute_ms },
  /** Failed sign-ins of one account from networks where it never signed in. */
  account: { count: 100, per_ms: hour_ms },
  /** New accounts of one network. */
  signUp: { count: 60, per_ms: hour_ms },
  /** Addresses of other accounts that one network was told of. */
  taken: { count: 10, per_ms: 24 * hour_ms },
  /** Wrong codes of one account from one network. */
  codePair: { count: 10, per_ms: 10 * minute_ms },
  /** Wrong codes of one account from networks where it never signed in. */
  code: { count: 30, per_ms: hour_ms },
  /** Wrong answers to the question of who they are, by session, whatever its token is. */
  confirm: { count: 10, per_ms: 10 * minute_ms },
  /** The same over a longer time: then the session ends. */
  guesses: { count: 20, per_ms: 24 * hour_ms },
  /** Ratings of passwords for one network. */
  strength: { count: 20, per_ms: minute_ms },
} as const;
export type AuthLimits = Record<keyof typeof rates, SharedLimiter>;

const known = new WeakMap<AppServices, AuthLimits>();

/** The limiters of this process: all routes share them, whatever their prefix. */
export function authLimits(services: AppServices): AuthLimits {
  const made =
    known.get(services) ??
    (Object.fromEntries(
      Object.entries(rates).map(([name, rate]) => [
        name,
        limiterOf(services, name as keyof typeof rates, rate),
      ]),
    ) as AuthLimits);
  known.set(services, made);
  return made;
}

/** Those whose keys are networks. */
const of_networks: ReadonlySet<keyof typeof rates> = new Set(['network', 'signUp', 'taken', 'strength']);

function limiterOf({ sql }: AppServices, name: keyof typeof rates, rate: Rate): SharedLimiter {
  const limiter = createSharedLimiter(sql, names[name], rate);
  return of_networks.has(name) ? byNetwork(limiter) : limiter;
}

/** Their names in the database. */
const names: Record<keyof typeof rates, string> = {
  pair: 'sign-in-pair',
  network: 'sign-in-network',
  account: 'sign-in-account',
  signUp: 'sign-up',
  taken: 'address-taken',
  codePair: 'sign-in-code-pair',
  code: 'sign-in-code',
  confirm: 'confirm',
  guesses: 'confirm-session',
  strength: 'password-strength',
};

/** Counts an attempt. Refuses `rate_limited`. */
export function countAttempt(limiter: Limiter, key: string, now: Date): void {
  const { allowed, retry_after_ms } = limiter.hit(key, now.getTime());
  if (allowed) return;
  throw new Refused('rate_limited', {
    retry_after_ms,
    retry_after_seconds: Math.ceil(retry_after_ms / 1000),
  });
}

/** The codes of a refusal, of which several may be refused at once. */
const codesOf = ({ code, data }: Refused): readonly unknown[] => [
  code,
  ...((data.reasons ?? []) as unknown[]),
];

/**
 * Runs work that may tell that an address has an account (`email_taken`): its owner hears of it by mail, and a network is told of
 * few a day, and then refused whatever the address is. Refuses `rate_limited`, and what `work` refuses.
 */
export async function tellingTaken<T>(
  services: AppServices,
  { email, address, now }: { email: string; address: string; now: Date },
  work: () => Promise<T>,
): Promise<T> {
  if (services.settings.RATE_LIMIT_PER_MINUTE === 0) return await work();
  const { taken } = authLimits(services);
  const network = networkOf(address);
  countAttempt(taken, network, now);
  let told = false;
  try {
    return await work();
  } catch (error) {
    told = error instanceof Refused && codesOf(error).includes('email_taken');
    throw error;
  } finally {
    if (!told) taken.hit(network, now.getTime(), -1);
    else await services.sql.begin((tx) => tellOwner(tx, services, { email, now }));
  }
}
