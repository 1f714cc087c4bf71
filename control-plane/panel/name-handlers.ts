import { checkSubdomain, showSubdomain } from '#db/hosting/servers/names/read.ts';
import { changeSubdomain } from '#db/hosting/servers/names/write.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type NameHandlers = { [E in keyof All as E extends `subdomain.${string}` ? E : never]: All[E] };

/** The handlers of requests about the name of a server below the domain of the site. */
export function nameHandlers({ context }: PanelServices, asUser: AsUser): NameHandlers {
  const { sql, now } = context;
  return {
    'subdomain.show': asUser((actor, { server_id }) =>
      showSubdomain(sql, actor, server_id, context.settings, now()),
    ),
    'subdomain.check': asUser(async (actor, message) => ({
      why: await checkSubdomain(sql, actor, message, context.settings, now()),
    })),
    'subdomain.change': asUser(async (actor, message) => {
      await sql.begin((tx) => changeSubdomain(tx, actor, message, context.settings, now()));
      return await showSubdomain(sql, actor, message.server_id, context.settings, now());
    }),
  };
}
