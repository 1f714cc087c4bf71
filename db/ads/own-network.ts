import { impressionsOf } from './impressions.ts';
import type { Ad, AdNetwork } from './network.ts';
import type { OwnAds } from './read-ads.ts';
import { chooseAd, earnedBy } from './rules.ts';

/** The operator's own ads, as a network: they earn `rate` US cents for a thousand impressions. */
export function ownAdNetwork({ ads, files }: Pick<OwnAds, 'ads' | 'files'>, rate: number): AdNetwork {
  const ids = new Set(ads.map(({ id }) => id));
  return {
    name: 'own',
    files,
    adFor: (place, page, at): Ad | null => chooseAd(ads, { place, page, at }),
    has: (id) => ids.has(id),
    async reportOf(db, day) {
      const impressions = rate > 0 ? await impressionsOf(db, day) : 0;
      const amount_minor = earnedBy(impressions, rate);
      return amount_minor > 0 ? { amount_minor, impressions } : null;
    },
  };
}
