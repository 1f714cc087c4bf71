import { z } from 'zod';
import { publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';

/** From how much a year, in US dollars, a tax form is asked for before money is paid out. Source: api-v3 §7 (globals). */
const tax_compliance_thresholds = { 2025: 600, 2026: 2000 };

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
    handle: async ({ services: { settings } }) => ({
      tax_compliance_thresholds,
      captcha_enabled: Boolean(settings.CAPTCHA_URL && settings.CAPTCHA_SECRET),
    }),
  });
}
