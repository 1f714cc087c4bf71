import { alertsOf } from '#db/hosting/server-alerts/read.ts';
import {
  addAlertWebhook,
  changeAlerts,
  changeAlertWebhook,
  testAlerts,
} from '#db/hosting/server-alerts/write.ts';
import { figuresOf } from '#db/hosting/servers/figures/read.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type FiguresHandlers = {
  [E in keyof All as E extends `figures.${string}` | `alerts.${string}` ? E : never]: All[E];
};

/** The handlers of requests about what a server used over time, and its alerts: any plane answers them from Postgres. */
export function figuresHandlers({ context }: PanelServices, asUser: AsUser): FiguresHandlers {
  const { sql, now, sealer } = context;
  return {
    'figures.show': asUser(async (actor, message) => ({
      figures: await figuresOf(sql, actor, message, now()),
    })),
    'alerts.show': asUser(async (actor, { server_id }) => ({
      alerts: await alertsOf(sql, actor, server_id, now()),
    })),
    'alerts.change': asUser(async (actor, message) => ({
      alerts: await sql.begin((tx) => changeAlerts(tx, actor, message, now())),
    })),
    'alerts.test': asUser(async (actor, { server_id }) => {
      await sql.begin((tx) => testAlerts(tx, actor, server_id, now()));
      return {};
    }),
    'alerts.webhook_add': asUser((actor, message) =>
      sql.begin((tx) => addAlertWebhook(tx, sealer, actor, message, now())),
    ),
    'alerts.webhook_change': asUser(async (actor, message) => ({
      alerts: await sql.begin((tx) => changeAlertWebhook(tx, actor, message, now())),
    })),
  };
}
