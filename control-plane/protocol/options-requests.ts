import { z } from 'zod';
import { alertsOf } from '#db/hosting/server-alerts/read.ts';
import { alertRules, alertsView, quietHours } from '#db/hosting/server-alerts/view.ts';
import {
  addAlertWebhook,
  changeAlerts,
  changeAlertWebhook,
  testAlerts,
} from '#db/hosting/server-alerts/write.ts';
import type { JavaVersion } from '#db/hosting/server-kinds/java/rules.ts';
import { figuresOf } from '#db/hosting/servers/figures/read.ts';
import { figureRangeIds } from '#db/hosting/servers/figures/rules.ts';
import { figuresView } from '#db/hosting/servers/figures/view.ts';
import { max_icon_bytes } from '#db/hosting/servers/icon/rules.ts';
import { max_changed_properties } from '#db/hosting/servers/properties/rules.ts';
import { propertyView } from '#db/hosting/servers/properties/view.ts';
import { sleepView } from '#db/hosting/servers/sleep/view.ts';
import { changeSleep, showSleep } from '#db/hosting/servers/sleep/write.ts';
import { flag_length, max_flags } from '#db/hosting/servers/startup/rules.ts';
import { startupView } from '#db/hosting/servers/startup/view.ts';
import { changeStartup, showStartup } from '#db/hosting/servers/startup/write.ts';
import { webhookLimits } from '#db/messages/webhooks/rules.ts';
import { oneLine } from '#db/platform/plain-text/rules.ts';
import type { RequestMap } from './ack.ts';
import { networkRequests } from './network-requests.ts';
import { stored } from './stored.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
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

const alerts = z.strictObject({ alerts: alertsView });

/** Requests of panels about what a server used over time, and its alerts. */
const figuresRequests = {
  'figures.show': stored({
    input: ofServer.extend({ range: z.enum(figureRangeIds) }),
    output: z.strictObject({ figures: figuresView }),
    limit: 'calls',
    answer: async ({ db, actor, now }, message) => ({ figures: await figuresOf(db, actor, message, now()) }),
  }),
  'alerts.show': stored({
    input: ofServer,
    output: alerts,
    limit: 'calls',
    answer: async ({ db, actor, now }, { server_id }) => ({
      alerts: await alertsOf(db, actor, server_id, now()),
    }),
  }),
  'alerts.change': stored({
    input: ofServer.extend({ rules: alertRules, quiet: quietHours.nullable() }),
    output: alerts,
    limit: 'calls',
    write: ({ db, actor, now }, message) => changeAlerts(db, actor, message, now()),
    answer: (_call, _message, alerts) => ({ alerts }),
  }),
  /** Sends a test to every channel. */
  'alerts.test': stored({
    input: ofServer,
    output: z.strictObject({}),
    limit: 'calls',
    write: ({ db, actor, now }, { server_id }) => testAlerts(db, actor, server_id, now()),
    answer: () => ({}),
  }),
  /** `secret` is never shown again. */
  'alerts.webhook_add': stored({
    input: ofServer.extend({
      name: z.string().transform(oneLine).pipe(z.string().min(1).max(webhookLimits.name)),
      address: z.string().max(webhookLimits.address + 1),
    }),
    output: z.strictObject({ secret: z.string(), alerts: alertsView }),
    limit: 'calls',
    write: ({ db, sealer, actor, now }, message) => addAlertWebhook(db, sealer, actor, message, now()),
    answer: (_call, _message, added) => added,
  }),
  'alerts.webhook_change': stored({
    input: ofServer.extend({ webhook_id: id, to: z.enum(['on', 'off', 'removed']) }),
    output: alerts,
    limit: 'calls',
    write: ({ db, actor, now }, message) => changeAlertWebhook(db, actor, message, now()),
    answer: (_call, _message, alerts) => ({ alerts }),
  }),
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
  'startup.show': stored({
    input: ofServer,
    output: z.strictObject({ startup: startupView }),
    limit: 'calls',
    answer: async ({ db, actor, now }, { server_id }) => ({
      startup: await showStartup(db, actor, server_id, now()),
    }),
  }),
  /** From the next start on; null and no flags are the defaults. */
  'startup.change': stored({
    input: ofServer.extend({
      java: z.int().nullable(),
      heap_mb: z.int().nullable(),
      jvm_flags: z.array(z.string().max(flag_length * 2)).max(max_flags * 2),
    }),
    output: z.strictObject({ startup: startupView }),
    limit: 'calls',
    write: ({ db, actor, now }, { java, ...message }) =>
      // a version that does not exist fits no game version
      changeStartup(db, actor, { ...message, java: java as JavaVersion | null }, now()),
    answer: (_call, _message, startup) => ({ startup }),
  }),
  ...generalRequests,
  'sleep.show': stored({
    input: ofServer,
    output: z.strictObject({ sleep: sleepView }),
    limit: 'calls',
    answer: async ({ db, actor, now }, { server_id }) => ({
      sleep: await showSleep(db, actor, server_id, now()),
    }),
  }),
  /** At once; null minutes: it never sleeps. */
  'sleep.change': stored({
    input: ofServer.extend({ after_minutes: z.number().nullable(), motd: z.string().max(2_000) }),
    output: z.strictObject({ sleep: sleepView }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => changeSleep(db, actor, message, now()),
    answer: (_call, _message, sleep) => ({ sleep }),
  }),
  ...networkRequests,
} as const satisfies RequestMap;
