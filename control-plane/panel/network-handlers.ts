import {
  checkDomain,
  checkDomainFor,
  type OwnNames,
  removeDomain,
  setDomain,
} from '#db/hosting/servers/network/domains.ts';
import { addPort, removePort, renamePort } from '#db/hosting/servers/network/ports.ts';
import { showNetwork } from '#db/hosting/servers/network/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type NetworkHandlers = { [E in keyof All as E extends `network.${string}` ? E : never]: All[E] };

/** The handlers of requests about ports and the domain of a server. */
export function networkHandlers({ context }: PanelServices, asUser: AsUser): NetworkHandlers {
  const { sql, now, settings } = context;
  const { DNS_SERVERS: servers } = settings;
  const own: OwnNames = {
    domain: settings.SERVERS_DOMAIN,
    hosts: [settings.SITE_URL, settings.CDN_URL].map((url) => new URL(url).hostname),
  };
  const show = async (actor: Actor, server_id: string) => ({
    network: await showNetwork(sql, actor, server_id, now()),
  });

  return {
    'network.show': asUser((actor, { server_id }) => show(actor, server_id)),
    'network.add_port': asUser(async (actor, message) => {
      const added = await sql.begin((tx) => addPort(tx, actor, message, now()));
      return { ...(await show(actor, message.server_id)), added };
    }),
    'network.rename_port': asUser(async (actor, message) => {
      await sql.begin((tx) => renamePort(tx, actor, message, now()));
      return await show(actor, message.server_id);
    }),
    'network.remove_port': asUser(async (actor, message) => {
      await sql.begin((tx) => removePort(tx, actor, message, now()));
      return await show(actor, message.server_id);
    }),
    'network.set_domain': asUser(async (actor, message) => {
      const { server_id } = message;
      // the records may be there already
      if (await sql.begin((tx) => setDomain(tx, actor, message, own, now())))
        await checkDomain(sql, server_id, servers, now);
      return await show(actor, server_id);
    }),
    'network.remove_domain': asUser(async (actor, message) => {
      await sql.begin((tx) => removeDomain(tx, actor, message, now()));
      return await show(actor, message.server_id);
    }),
    'network.check_domain': asUser(async (actor, message) => {
      await checkDomainFor(sql, actor, message, servers, now);
      return await show(actor, message.server_id);
    }),
  };
}
