import { z } from 'zod';
import { checkSubdomain, showSubdomain } from '#db/hosting/servers/names/read.ts';
import { subdomainView } from '#db/hosting/servers/names/view.ts';
import { changeSubdomain } from '#db/hosting/servers/names/write.ts';
import {
  checkDomain,
  checkDomainFor,
  type OwnNames,
  removeDomain,
  setDomain,
} from '#db/hosting/servers/network/domains.ts';
import { addPort, removePort, renamePort } from '#db/hosting/servers/network/ports.ts';
import { showNetwork } from '#db/hosting/servers/network/read.ts';
import { networkView } from '#db/hosting/servers/network/view.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { RequestMap } from './ack.ts';
import { type Call, stored } from './stored.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const name = z.string().max(200);
const port = z.int().min(1).max(65535);
const network = z.strictObject({ network: networkView });

const shown = async ({ db, actor, now }: Call<Pool>, { server_id }: { server_id: string }) => ({
  network: await showNetwork(db, actor, server_id, now()),
});
const shownName = ({ db, actor, settings, now }: Call<Pool>, { server_id }: { server_id: string }) =>
  showSubdomain(db, actor, server_id, settings, now());
/** What a domain of an owner may not be. */
const ownNames = ({ SERVERS_DOMAIN, SITE_URL, CDN_URL }: Call<Pool>['settings']): OwnNames => ({
  domain: SERVERS_DOMAIN,
  hosts: [SITE_URL, CDN_URL].map((url) => new URL(url).hostname),
});

/**
 * Requests of panels about how a server is reached: its name below the domain of the site, its ports and its own domain. Those
 * that change something answer how it is then.
 */
export const networkRequests = {
  'subdomain.show': stored({ input: ofServer, output: subdomainView, limit: 'calls', answer: shownName }),
  /** Whether a server can have a name, while it is typed: `why` is the code of the refusal, and null when it can. */
  'subdomain.check': stored({
    input: ofServer.extend({ name }),
    output: z.strictObject({ why: z.string().nullable() }),
    limit: 'calls',
    answer: async ({ db, actor, settings, now }, message) => ({
      why: await checkSubdomain(db, actor, message, settings, now()),
    }),
  }),
  /** Null takes the name away. The one before is free for others at once. */
  'subdomain.change': stored({
    input: ofServer.extend({ name: name.nullable() }),
    output: subdomainView,
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) => changeSubdomain(db, actor, message, settings, now()),
    answer: shownName,
  }),
  'network.show': stored({ input: ofServer, output: network, limit: 'calls', answer: shown }),
  /** The lowest free port of its node; `added` is that. */
  'network.add_port': stored({
    input: ofServer.extend({ name }),
    output: network.extend({ added: port }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => addPort(db, actor, message, now()),
    answer: async (call, message, added) => ({ ...(await shown(call, message)), added }),
  }),
  'network.rename_port': stored({
    input: ofServer.extend({ port, name }),
    output: network,
    limit: 'calls',
    write: ({ db, actor, now }, message) => renamePort(db, actor, message, now()),
    answer: shown,
  }),
  'network.remove_port': stored({
    input: ofServer.extend({ port }),
    output: network,
    limit: 'calls',
    write: ({ db, actor, now }, message) => removePort(db, actor, message, now()),
    answer: shown,
  }),
  'network.set_domain': stored({
    input: ofServer.extend({ domain: z.string().max(500) }),
    output: network,
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) =>
      setDomain(db, actor, message, ownNames(settings), now()),
    async answer(call, message, isNew) {
      // the records may be there already
      if (isNew) await checkDomain(call.db, message.server_id, call.settings.DNS_SERVERS, call.now);
      return await shown(call, message);
    },
  }),
  'network.remove_domain': stored({
    input: ofServer,
    output: network,
    limit: 'calls',
    write: ({ db, actor, now }, message) => removeDomain(db, actor, message, now()),
    answer: shown,
  }),
  /** Asks name servers now: the answer may take some seconds. */
  'network.check_domain': stored({
    input: ofServer,
    output: network,
    limit: 'calls',
    async answer(call, message) {
      await checkDomainFor(call.db, call.actor, message, call.settings.DNS_SERVERS, call.now);
      return await shown(call, message);
    },
  }),
} as const satisfies RequestMap;
