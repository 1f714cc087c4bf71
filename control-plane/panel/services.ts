import type { BillingContext } from '#db/billing/checkout.ts';
import type { Consoles } from '../console/consoles.ts';
import type { PlaneContext } from '../context.ts';
import type { PanelSubscriptions } from './subscriptions.ts';

/** What the requests of panels work with. */
export interface PanelServices {
  context: PlaneContext;
  subscriptions: PanelSubscriptions;
  consoles: Consoles;
  billing: BillingContext;
}
