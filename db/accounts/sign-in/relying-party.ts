import { isIP } from 'node:net';
import { Refused } from '../../platform/errors.ts';
import type { Settings } from '../../platform/runtime/env.ts';

/** For whom passkeys are made: a host name, and the origins that may use them. */
export interface RelyingParty {
  id: string;
  name: string;
  origins: string[];
}

/**
 * The relying party of this site. Passkeys belong to host names, never to addresses: a site on this machine is `localhost`,
 * another one without a name has none. Refuses `passkeys_unavailable`.
 */
export function relyingParty({ SITE_URL }: Pick<Settings, 'SITE_URL'>): RelyingParty {
  const { hostname, origin, protocol, port } = new URL(SITE_URL);
  const name = 'Cairn';
  if (hostname === '127.0.0.1' || hostname === '[::1]')
    return { id: 'localhost', name, origins: [`${protocol}//localhost${port && `:${port}`}`] };
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) throw new Refused('passkeys_unavailable');
  return { id: hostname, name, origins: [origin] };
}
