import { adSettings } from './ad-settings.ts';
import { commaList, integerBetween } from './setting-shapes.ts';

/** What is counted of other sites, how many days it is kept, and the settings of ads. */
export const analyticsSettings = {
  ANALYTICS_ORIGINS: commaList
    .refine((parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part))
    .describe('origins such as https://example.org with commas between'),
  /** Single views, downloads and reports of playtime: charts of minutes need them. */
  ANALYTICS_RECORD_DAYS: integerBetween(2, 400, 35),
  /** Sums of hours. */
  ANALYTICS_HOUR_DAYS: integerBetween(2, 800, 100),
  /** Sums of days; 0 keeps them for ever. */
  ANALYTICS_DAYS: integerBetween(0, 36_500, 0),
  ...adSettings,
};

/** Why these settings do not fit together, or null: sums of hours are made of records, and must outlast them. */
export const whyNotAnalytics = (given: {
  ANALYTICS_RECORD_DAYS: number;
  ANALYTICS_HOUR_DAYS: number;
}): string | null =>
  given.ANALYTICS_HOUR_DAYS < given.ANALYTICS_RECORD_DAYS
    ? 'ANALYTICS_HOUR_DAYS must be at least ANALYTICS_RECORD_DAYS'
    : null;
