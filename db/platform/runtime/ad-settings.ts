import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { integerBetween, oneOf } from './setting-shapes.ts';

const usual = fileURLToPath(new URL('../../../content/ads', import.meta.url));

/** Whether visitors who are not signed in see ads, whose, and what they earn and cost. */
export const adSettings = {
  ADS: oneOf('own', 'off').default('off'),
  ADS_DIR: z
    .string()
    .regex(/^[^\0]+$/)
    .default(usual)
    .transform((path) => resolve(path))
    .describe('a folder'),
  /** What a thousand impressions of own ads earn, in US cents; 0 enters no income. */
  AD_RATE: integerBetween(0, 100_000, 0),
  /** The most that own ads earn on a day, in US cents: impressions come from browsers, and what they say may be made up. */
  AD_DAY_MAX: integerBetween(1, 100_000_000, 10_000),
  /** What showing an ad costs, in millionths of a dollar; it is taken from income before creators get their share. */
  AD_SERVING_FEE: integerBetween(0, 1_000_000, 0),
  /** What checking an ad costs, likewise. */
  AD_CHECK_FEE: integerBetween(0, 1_000_000, 0),
};
