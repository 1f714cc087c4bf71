import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, commaList, integerBetween, oneOf, path, type Setting } from './shapes.ts';

/** The game's versions and players, what is counted and how long it is kept, and ads. */
export const catalogueSettings = {
  GAME_VERSIONS_URL: { shape: address },
  PROFILE_SERVICE_URL: { shape: address },
  ANALYTICS_ORIGINS: {
    shape: commaList
      .refine((parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part))
      .describe('origins such as https://example.org with commas between'),
    default: '',
  },
  ANALYTICS_RECORD_DAYS: { shape: integerBetween(2, 400), default: '35' },
  ANALYTICS_HOUR_DAYS: { shape: integerBetween(2, 800), default: '100' },
  ANALYTICS_DAYS: { shape: integerBetween(0, 36_500), default: '0' },
  ADS: { shape: oneOf('own', 'off'), default: 'off' },
  ADS_DIR: {
    shape: path.transform((folder) => resolve(folder)).describe('a folder'),
    default: fileURLToPath(new URL('../../../../content/ads', import.meta.url)),
  },
  AD_RATE: { shape: integerBetween(0, 100_000), default: '0' },
  /** Impressions come from browsers, and what they say may be made up. */
  AD_DAY_MAX: { shape: integerBetween(1, 100_000_000), default: '10000' },
  AD_SERVING_FEE: { shape: integerBetween(0, 1_000_000), default: '0' },
  AD_CHECK_FEE: { shape: integerBetween(0, 1_000_000), default: '0' },
} satisfies Record<string, Setting>;

/** Why these settings do not fit together, or null: sums of hours are made of records, and must outlast them. */
export const whyNotAnalytics = (given: {
  ANALYTICS_RECORD_DAYS: number;
  ANALYTICS_HOUR_DAYS: number;
}): string | null =>
  given.ANALYTICS_HOUR_DAYS < given.ANALYTICS_RECORD_DAYS
    ? 'ANALYTICS_HOUR_DAYS must be at least ANALYTICS_RECORD_DAYS'
    : null;
