import type { BillingContext } from '#db/money/billing/checkout.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Consoles } from '../console/consoles.ts';
import type { PlaneContext } from '../context.ts';
import type { PanelConnection, PanelSubscriptions } from './subscriptions.ts';

/** What the requests of panels work with. */
export interface PanelServices {
  context: PlaneContext;
  subscriptions: PanelSubscriptions;
  consoles: Consoles;
  billing: BillingContext;
}

/** Authenticates the user of the connection again: rules are asked about who it is now, not at its handshake. */
export type AsUser = <M, R>(
  work: (actor: Actor, message: M, connection: PanelConnection) => Promise<R>,
) => (connection: PanelConnection, message: M) => Promise<R>;
