import type { MessageKey } from '#content/keys.ts';
import type { Region } from '#db/money/billing/rules.ts';

/** What the regions that are sold are called. */
export const regionNames: Record<Region, MessageKey> = {
  'north-america': 'buying.region_north_america',
  'western-europe': 'buying.region_western_europe',
  'central-europe': 'buying.region_central_europe',
  'southeast-asia': 'buying.region_southeast_asia',
};
