import type { PayoutOutcome, PayoutProvider, ProviderState } from './provider.ts';
import { maxTransitDays } from './rules.ts';

const day_ms = 86_400_000;

/** The surest first: money that arrived must never return to a balance. */
const order: readonly ProviderState[] = ['success', 'in-transit', 'failed', 'cancelled'];

/**
 * What the books of a provider have of a payout that it finds neither by its reference nor by our key; null when they have
 * nothing of it. Books are hours behind. Refuses `payouts_unreachable`.
 */
export async function bookedOutcome(
  provider: PayoutProvider,
  { id, created }: { id: string; created: string },
  now: Date,
): Promise<PayoutOutcome | null> {
  const made = Date.parse(created);
  const range = {
    // by another clock
    from: new Date(made - day_ms),
    // it may have been sent as long as it was not late
    until: new Date(Math.min(made + (maxTransitDays + 2) * day_ms, now.getTime())),
  };
  const found = new Set<ProviderState>();
  for await (const { key, state } of provider.list(range)) if (key === id) found.add(state);
  const state = order.find((one) => found.has(one));
  return state ? { reference: null, state, failure: state === 'failed' ? 'other' : null } : null;
}
