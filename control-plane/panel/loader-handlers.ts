import { cancelChange } from '#db/hosting/servers/changes/cancel.ts';
import { changeLoader, showLoader } from '#db/hosting/servers/changes/loader.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type LoaderHandlers = {
  [E in keyof All as E extends `loader.${string}` | 'changes.cancel' ? E : never]: All[E];
};

/** The handlers of requests about game version, loader, and changes in steps. */
export function loaderHandlers({ context }: PanelServices, asUser: AsUser): LoaderHandlers {
  const { sql, now, settings } = context;
  return {
    'loader.show': asUser((actor, { server_id }) => showLoader(sql, actor, server_id, now())),
    'loader.change': asUser(async (actor, message) => ({
      change: await sql.begin((tx) => changeLoader(tx, actor, message, settings, now())),
    })),
    'changes.cancel': asUser(async (actor, message) => ({
      change: await sql.begin((tx) => cancelChange(tx, actor, message, settings, now())),
    })),
  };
}
