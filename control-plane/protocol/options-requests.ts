import { z } from 'zod';
import { max_changed_properties } from '#db/hosting/servers/properties/rules.ts';
import { propertyView } from '#db/hosting/servers/properties/view.ts';
import { sleepView } from '#db/hosting/servers/sleep/view.ts';
import { flag_length, max_flags } from '#db/hosting/servers/startup/rules.ts';
import { startupView } from '#db/hosting/servers/startup/view.ts';
import type { RequestMap } from './ack.ts';
import { figuresRequests } from './figures-requests.ts';
import { generalRequests } from './general-requests.ts';
import { nameRequests } from './name-requests.ts';
import { networkRequests } from './network-requests.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const properties = z.strictObject({
  properties: z.array(propertyView),
  /** What a change is compared with; `''` while there is no file. */
  etag: z.string(),
});

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
