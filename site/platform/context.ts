import type { AppContext } from '#db/context.ts';
import type { UsageCounter } from '#db/discovery/analytics/counter.ts';
import type { AdNetwork } from '#db/money/ads/network.ts';
import type { PayoutProvider } from '#db/money/payouts/provider.ts';
import type { TaxForms } from '#db/money/payouts/tax/tax-forms.ts';
import type { LazyQueue } from '#db/platform/jobs/lazy-queue.ts';

/**
 * The services that the entry points of the site use: the open context, created once in `server.ts`, a smaller one in
 * tests.
 */
export type AppServices = Omit<AppContext, 'close' | 'searchIndex'> & {
  /** Counts downloads, views, playtime and impressions of ads. */
  usage: UsageCounter;
  /** Whose ads visitors see who are not signed in; null when there are none. */
  ads: AdNetwork | null;
  /** Those who pay creators; none when withdrawals are off. */
  payouts: readonly PayoutProvider[];
  /** Who collects tax forms. */
  taxForms: TaxForms;
  /** The job queue. */
  queue: LazyQueue['queue'];
};
