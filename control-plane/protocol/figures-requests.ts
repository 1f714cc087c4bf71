import { z } from 'zod';
import { alertRules, alertsView, quietHours } from '#db/hosting/server-alerts/view.ts';
import { figureRangeIds } from '#db/hosting/servers/figures/rules.ts';
import { figuresView } from '#db/hosting/servers/figures/view.ts';
import { webhookLimits } from '#db/messages/webhooks/rules.ts';
import { oneLine } from '#db/platform/plain-text/rules.ts';
import type { RequestMap } from './ack.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const alerts = z.strictObject({ alerts: alertsView });

/** Requests of panels about what a server used over time, and its alerts. */
export const figuresRequests = {
  'figures.show': {
    input: ofServer.extend({ range: z.enum(figureRangeIds) }),
    output: z.strictObject({ figures: figuresView }),
    limit: 'calls',
  },
  'alerts.show': { input: ofServer, output: alerts, limit: 'calls' },
  'alerts.change': {
    input: ofServer.extend({ rules: alertRules, quiet: quietHours.nullable() }),
    output: alerts,
    limit: 'calls',
  },
  /** Sends a test to every channel. */
  'alerts.test': { input: ofServer, output: z.strictObject({}), limit: 'calls' },
  /** `secret` is never shown again. */
  'alerts.webhook_add': {
    input: ofServer.extend({
      name: z.string().transform(oneLine).pipe(z.string().min(1).max(webhookLimits.name)),
      address: z.string().max(webhookLimits.address + 1),
    }),
    output: z.strictObject({ secret: z.string(), alerts: alertsView }),
    limit: 'calls',
  },
  'alerts.webhook_change': {
    input: ofServer.extend({ webhook_id: id, to: z.enum(['on', 'off', 'removed']) }),
    output: alerts,
    limit: 'calls',
  },
} as const satisfies RequestMap;
