import { impressionsOf } from '../../discovery/analytics/impressions.ts';
import type { Ad, AdNetwork } from './network.ts';
import type { OwnAds } from './read-ads.ts';
import { chooseAd, earnedBy } from './rules.ts';

/**
 * The operator's own ads, as a network: they earn `rate` US cents for a thousand impressions, and at most `day_max` of them
 * on a day.
 */
export function ownAdNetwork(
  { ads, files }: Pick<OwnAds, 'ads' | 'files'>,
  { rate, day_max }: { rate: number; day_max: number },
): AdNetwork {
  const ids = new Set(ads.map(({ id }) => id));
  return {
    name: 'own',
    files,
    adFor: (place, page, at): Ad | null => chooseAd(ads, { place, page, at }),
    has: (id) => ids.has(id),
    async reportOf(db, day) {
      const impressions = rate > 0 ? await impressionsOf(db, day) : 0;
      const earned = earnedBy(impressions, rate);
      const amount_minor = Math.min(earned, day_max);
      return amount_minor > 0 ? { amount_minor, impressions, over_minor: earned - amount_minor } : null;
    },
  };
}
