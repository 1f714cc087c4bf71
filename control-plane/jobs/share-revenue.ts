import { openAdNetwork } from '#db/money/ads/open.ts';
import { enterAdIncome } from '#db/money/billing/revenue/ad-income.ts';
import { divideRevenue } from '#db/money/billing/revenue/divide.ts';
import { releaseRevenue } from '#db/money/billing/revenue/release.ts';
import { defineJob } from './define.ts';

/**
 * Enters what ads earned on past days, divides the income of past days among creators, and credits them with months whose
 * release has come.
 */
export const shareRevenueJob = defineJob({
  name: 'share_revenue',
  queue: { retryLimit: 3, expireInSeconds: 900 },
  // hourly, though a day is divided once: income may be entered at any time
  schedule: { cron: '20 * * * *', unique_s: 600 },
  async run({ sql, settings, log, now }) {
    const network = openAdNetwork(settings);
    const fee_micros = settings.AD_SERVING_FEE + settings.AD_CHECK_FEE;
    const ads = network ? await enterAdIncome(sql, network, fee_micros, now()) : null;
    if (ads && ads.refused.length > 0)
      log.warn(
        { refused: ads.refused },
        'What ads earned on some days could not be entered: check AD_RATE and fees',
      );
    if (ads && ads.limited.length > 0)
      log.warn(
        { limited: ads.limited },
        'Ads earned more than AD_DAY_MAX on some days: look at their impressions, and raise it if they are right',
      );
    const divided = await divideRevenue(sql, now());
    const released = await releaseRevenue(sql, now());
    if ((ads?.days ?? 0) + divided.days + released.months === 0) return undefined;
    return { ...divided, ...released, ...(ads && { ad_days: ads.days, ad_income_minor: ads.amount_minor }) };
  },
});
