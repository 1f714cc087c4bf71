import type { Ad } from '#db/money/ads/network.ts';
import type { AdPlace } from '#db/money/ads/rules.ts';

/** The ad for a place of this page, the same for everybody; null on pages that only some people see. */
export const adFor = (
  { services, path, now, isPrivate }: Pick<App.Locals, 'services' | 'path' | 'now' | 'isPrivate'>,
  place: AdPlace,
): Ad | null => (isPrivate ? null : (services.ads?.adFor(place, path, now) ?? null));
