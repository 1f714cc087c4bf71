import { z } from 'zod';
import { max_icon_bytes } from '#db/hosting/servers/icon/rules.ts';
import type { RequestMap } from './ack.ts';

const ofServer = z.object({ server_id: z.string().regex(/^[0-9A-Za-z]{1,11}$/) });
const icon = z.strictObject({
  /** A PNG in Base64; null when there is none that the game shows. */
  png: z.base64().nullable(),
  /** What a change is compared with; `''` without a file. */
  etag: z.string(),
  /** The modpack of the server, whose picture can be taken; null without one that the user may see. */
  pack: z.strictObject({ title: z.string(), icon_url: z.string().nullable() }).nullable(),
});

/** Requests of panels about the picture of a server, and the facts that explain a problem. */
export const generalRequests = {
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
