import { changePlan } from '#db/money/billing/checkout.ts';
import { cancelPlanChange, previewPlanChange } from '#db/money/billing/plan-changes/write.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type PlanHandlers = { [E in keyof All as E extends `plan.${string}` ? E : never]: All[E] };

/** The handlers of requests about plan and interval of a server. */
export function planHandlers({ context, billing }: PanelServices, asUser: AsUser): PlanHandlers {
  const { sql, now } = context;
  return {
    'plan.preview': asUser(async (actor, wanted) => {
      const { starts, ends, ...outlook } = await previewPlanChange(sql, actor, wanted, now());
      return { ...outlook, starts: starts.toISOString(), ends: ends.toISOString() };
    }),
    'plan.change': asUser(async (actor, wanted) => ({
      state: await changePlan(billing, actor, wanted, null, now()),
    })),
    'plan.keep': asUser(async (actor, { server_id }) => {
      await sql.begin((tx) => cancelPlanChange(tx, actor, server_id, now()));
      return {};
    }),
  };
}
