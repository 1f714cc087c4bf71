import { z } from 'zod';
import { networkView } from '#db/hosting/servers/network/view.ts';
import type { RequestMap } from './ack.ts';

const ofServer = z.object({ server_id: z.string().regex(/^[0-9A-Za-z]{1,11}$/) });
const port = z.int().min(1).max(65535);
const name = z.string().max(200);
const network = z.strictObject({ network: networkView });

/** Requests of panels about ports and the domain of a server. All but the first change it, and answer how it is then. */
export const networkRequests = {
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
