import { z } from 'zod';
import { alertRules, alertsView, quietHours } from '#db/hosting/server-alerts/view.ts';
import { figureRangeIds } from '#db/hosting/servers/figures/rules.ts';
import { figuresView } from '#db/hosting/servers/figures/view.ts';
import { max_icon_bytes } from '#db/hosting/servers/icon/rules.ts';
import { subdomainView } from '#db/hosting/servers/names/view.ts';
import { networkView } from '#db/hosting/servers/network/view.ts';
import { max_changed_properties } from '#db/hosting/servers/properties/rules.ts';
import { propertyView } from '#db/hosting/servers/properties/view.ts';
import { sleepView } from '#db/hosting/servers/sleep/view.ts';
import { flag_length, max_flags } from '#db/hosting/servers/startup/rules.ts';
import { startupView } from '#db/hosting/servers/startup/view.ts';
import { webhookLimits } from '#db/messages/webhooks/rules.ts';
import { oneLine } from '#db/platform/plain-text/rules.ts';
import type { RequestMap } from './ack.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const name = z.string().max(200);
const properties = z.strictObject({
  properties: z.array(propertyView),
  /** What a change is compared with; `''` while there is no file. */
  etag: z.string(),
});

const icon = z.strictObject({
  /** A PNG in Base64; null when there is none that the game shows. */
  png: z.base64().nullable(),
  /** What a change is compared with; `''` without a file. */
  etag: z.string(),
  /** The modpack of the server, whose picture can be taken; null without one that the user may see. */
  pack: z.strictObject({ title: z.string(), icon_url: z.string().nullable() }).nullable(),
});

/** Requests of panels about the picture of a server, and the facts that explain a problem. */
const generalRequests = {
  'icon.show': { input: ofServer, output: icon, limit: 'calls', answered_by: 'agent' },
  /** A PNG of 64 x 64. Refuses `file_changed` when `etag` is another one by now. */
  'icon.change': {
    input: ofServer.extend({
      png: z.base64().max(Math.ceil(max_icon_bytes / 3) * 4 + 4),
      etag: z.string().max(100),
    }),
    output: icon,
    limit: 'calls',
    answered_by: 'agent',
  },
  /** A text with all that explains its state, without secrets and personal data. */
  'debug.bundle': {
    input: ofServer,
    output: z.strictObject({ file_name: z.string(), text: z.string() }),
    limit: 'joins',
    answered_by: 'agent',
  },
} as const satisfies RequestMap;

/** Requests of panels about the name of a server below the domain of the site. */
const nameRequests = {
  'subdomain.show': { input: ofServer, output: subdomainView, limit: 'calls' },
  /** Whether a server can have a name, while it is typed: `why` is the code of the refusal, and null when it can. */
  'subdomain.check': {
    input: ofServer.extend({ name }),
    output: z.strictObject({ why: z.string().nullable() }),
    limit: 'calls',
  },
  /** Null takes the name away. The one before is free for others at once. */
  'subdomain.change': {
    input: ofServer.extend({ name: name.nullable() }),
    output: subdomainView,
    limit: 'calls',
  },
} as const satisfies RequestMap;

const port = z.int().min(1).max(65535);
const network = z.strictObject({ network: networkView });

/** Requests of panels about ports and the domain of a server. All but the first change it, and answer how it is then. */
const networkRequests = {
  'network.show': { input: ofServer, output: network, limit: 'calls' },
  /** The lowest free port of its node; `added` is that. */
  'network.add_port': {
    input: ofServer.extend({ name }),
    output: network.extend({ added: port }),
    limit: 'calls',
  },
  'network.rename_port': { input: ofServer.extend({ port, name }), output: network, limit: 'calls' },
  'network.remove_port': { input: ofServer.extend({ port }), output: network, limit: 'calls' },
  'network.set_domain': {
    input: ofServer.extend({ domain: z.string().max(500) }),
    output: network,
    limit: 'calls',
  },
  'network.remove_domain': { input: ofServer, output: network, limit: 'calls' },
  /** Asks name servers now: the answer may take some seconds. */
  'network.check_domain': { input: ofServer, output: network, limit: 'calls' },
} as const satisfies RequestMap;

const alerts = z.strictObject({ alerts: alertsView });

/** Requests of panels about what a server used over time, and its alerts. */
const figuresRequests = {
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

/**
 * Requests of panels about options: `server.properties`, how a server is started and when it sleeps, its picture, its name,
 * its ports and its domain, its alerts, and what it used.
 */
export const optionsRequests = {
  ...figuresRequests,
  'properties.show': { input: ofServer, output: properties, limit: 'calls', answered_by: 'agent' },
  /** Writes these values; comments, order and other keys stay. Refuses `file_changed` when `etag` is another one by now. */
  'properties.change': {
    input: ofServer.extend({
      etag: z.string().max(100),
      values: z
        .record(z.string().max(200), z.string().max(8_000))
        .refine((values) => Object.keys(values).length <= max_changed_properties),
    }),
    output: properties,
    limit: 'calls',
    answered_by: 'agent',
  },
  'startup.show': { input: ofServer, output: z.strictObject({ startup: startupView }), limit: 'calls' },
  /** From the next start on; null and no flags are the defaults. */
  'startup.change': {
    input: ofServer.extend({
      java: z.int().nullable(),
      heap_mb: z.int().nullable(),
      jvm_flags: z.array(z.string().max(flag_length * 2)).max(max_flags * 2),
    }),
    output: z.strictObject({ startup: startupView }),
    limit: 'calls',
  },
  ...generalRequests,
  ...nameRequests,
  'sleep.show': { input: ofServer, output: z.strictObject({ sleep: sleepView }), limit: 'calls' },
  /** At once; null minutes: it never sleeps. */
  'sleep.change': {
    input: ofServer.extend({ after_minutes: z.number().nullable(), motd: z.string().max(2_000) }),
    output: z.strictObject({ sleep: sleepView }),
    limit: 'calls',
  },
  ...networkRequests,
} as const satisfies RequestMap;
