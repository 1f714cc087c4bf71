import { ConcurrencyLimiter } from '../../../platform/runtime/concurrency.ts';
import { memoizeFor } from '../../../platform/runtime/memoize.ts';
import { clientKey } from '../../../platform/runtime/requester.ts';
import type { PayoutProvider } from '../provider.ts';

/** What a provider offers changes seldom; fixed amounts in other currencies move with the rate of the day. */
const kept_ms = 5 * 60_000;
/** So long a provider that gave no answer is not asked again by everybody who comes. */
const failed_ms = 10_000;
/** Catalogues take some megabytes each while they are read. */
const bounds = { max_running: 2, max_waiting: 50, timeout_ms: 20_000 };

/**
 * The same provider, which is asked for the methods of a country once in some minutes, whoever comes: callers at the same
 * time share one request, and one that failed is shared for some seconds. Keeps the last 100 countries.
 */
export function withKeptMethods(provider: PayoutProvider): PayoutProvider {
  const limiter = new ConcurrencyLimiter(bounds);
  const load = async ({ country }: { country: string }) =>
    await limiter.run(async () => await provider.methods(country), { client: clientKey() });
  const kept = memoizeFor(kept_ms, load, { keyOf: ({ country }) => country, failed_ms });
  return { ...provider, methods: async (country) => await kept({ country }) };
}
