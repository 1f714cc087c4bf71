import { z } from 'zod';
import { taxThresholds } from '#db/money/payouts/tax/rules.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

/** What clients need to know of this site before anybody signs in. Source: api-v3 §7 (globals). */
export function globalRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/globals',
    summary: 'Facts about this site',
    tag: 'internal',
    answer: z.object({
      tax_compliance_thresholds: z.record(z.string(), z.number()),
      captcha_enabled: z.boolean(),
    }),
    handle: async ({ services: { settings }, now }) => ({
      tax_compliance_thresholds: taxThresholds(now),
      captcha_enabled: Boolean(settings.CAPTCHA_URL && settings.CAPTCHA_SECRET),
    }),
  });
}
