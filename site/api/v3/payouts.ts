import { z } from 'zod';
import { slicesOf } from '#db/discovery/analytics/read-metric.ts';
import { balanceOf, releasesOf, siteRevenue } from '#db/money/billing/revenue/balance.ts';
import { decimalOfMicros, decimalOfMinor, releaseOf } from '#db/money/billing/revenue/rules.ts';
import { payoutsOf } from '#db/money/payouts/read.ts';
import { taxFormStatuses, taxFormTypes } from '#db/money/payouts/tax/rules.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { decimal, withdrawnShape, withdrawnView } from './payout-shapes.ts';
import { withdrawalRoutes } from './withdrawals.ts';

const tag = 'payouts';
const day_ms = 86_400_000;
/** Without a time, the revenue of the site is that of so many days. */
const shown_days = 30;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const balanceShape = z.object({
  available: decimal,
  withdrawn_lifetime: decimal,
  withdrawn_ytd: decimal,
  pending: decimal,
  dates: z.record(z.string(), decimal).meta({ description: 'What is released, by time' }),
  requested_form_type: z.enum(taxFormTypes).nullable(),
  form_completion_status: z.enum(taxFormStatuses),
});
const availableShape = z.object({
  type: z.literal('payout_available'),
  created: z.iso.datetime(),
  payout_source: z.enum(['creator_rewards', 'affilites']),
  amount: decimal,
});
const siteShape = z.object({
  all_time: decimal,
  all_time_available: decimal,
  data: z.array(z.object({ time: z.int(), revenue: decimal, creator_revenue: decimal })),
});

/** What creators earned and when they get it. Source: api-v3 §3.12. */
export function payoutRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/payout/balance',
    summary: 'What you can withdraw, and what will be released when',
    tag,
    needs: ['PAYOUTS_READ'],
    answer: balanceShape,
    handle: async ({ services, sql, actor, now }) => {
      const { pending, pending_micros, ...balance } = await balanceOf(sql, actor.user_id, now);
      const form = await services.taxForms.status(sql, actor.user_id, now);
      const dates = pending.map(({ period, micros }) => [
        releaseOf(period).toISOString(),
        decimalOfMicros(micros),
      ]);
      return {
        available: decimalOfMinor(balance.available_minor),
        withdrawn_lifetime: decimalOfMinor(balance.withdrawn_minor),
        withdrawn_ytd: decimalOfMinor(balance.withdrawn_year_minor),
        pending: decimalOfMicros(pending_micros),
        dates: Object.fromEntries(dates),
        requested_form_type: form.form_type,
        form_completion_status: form.status,
      };
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/payout/history',
    summary: 'What was released to you and what you withdrew, the latest first',
    tag,
    needs: ['PAYOUTS_READ'],
    answer: z.array(z.union([withdrawnShape, availableShape])),
    handle: async ({ sql, actor }) => {
      const [released, withdrawn] = await Promise.all([
        releasesOf(sql, actor.user_id),
        payoutsOf(sql, actor.user_id),
      ]);
      const available = released.map(({ created, amount_minor }) => ({
        type: 'payout_available' as const,
        created,
        payout_source: 'creator_rewards' as const,
        amount: decimalOfMinor(amount_minor),
      }));
      return [...withdrawn.map(withdrawnView), ...available].sort(
        (a, b) => Date.parse(b.created) - Date.parse(a.created),
      );
    },
  });

  withdrawalRoutes(api);

  publicRoute(api, {
    method: 'get',
    path: '/payout/platform_revenue',
    summary: 'What the whole site earned by day, and what of it went to creators',
    tag,
    query: z.object({ start: instant.optional(), end: instant.optional() }),
    answer: siteShape,
    handle: async ({ sql, query, now }) => {
      const end = query.end ?? now;
      const start = query.start ?? new Date(end.getTime() - shown_days * day_ms);
      // at most as many days as a chart has slices
      slicesOf({ start, end }, { minutes: 24 * 60 }, now);
      const { days, shared_minor, released_minor } = await siteRevenue(sql, { from: start, until: end });
      return {
        all_time: decimalOfMinor(shared_minor),
        all_time_available: decimalOfMinor(released_minor),
        data: days.map((one) => ({
          time: Date.parse(`${one.day}T00:00:00Z`) / 1000,
          revenue: decimalOfMinor(one.amount_minor),
          creator_revenue: decimalOfMinor(one.shared_minor),
        })),
      };
    },
  });
}
