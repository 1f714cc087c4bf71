import { z } from 'zod';
import { subdomainView } from '#db/hosting/servers/names/view.ts';
import type { RequestMap } from './ack.ts';

const ofServer = z.object({ server_id: z.string().regex(/^[0-9A-Za-z]{1,11}$/) });
const name = z.string().max(200);

/** Requests of panels about the name of a server below the domain of the site. */
export const nameRequests = {
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
