import type { BillingContext } from '#db/billing/checkout.ts';
import type { Consoles } from '../console/consoles.ts';
import type { PlaneContext } from '../context.ts';
import { panelRequests } from '../protocol/browser.ts';
import { callerOf } from '../sockets/authenticate.ts';
import { handleRequests } from '../sockets/handle.ts';
import { throttle } from '../sockets/throttle.ts';
import { createPanelHandlers } from './handlers.ts';
import type { PanelConnection, PanelSubscriptions } from './subscriptions.ts';

/** What the requests of panels work with. */
export interface PanelServices {
  context: PlaneContext;
  subscriptions: PanelSubscriptions;
  consoles: Consoles;
  billing: BillingContext;
}

/** Handles connections of panels and of `cairn server`; `requireUser` has admitted them. Source: hosting §5. */
export function openPanelGateway(services: PanelServices): void {
  const { context, subscriptions } = services;
  const handlers = createPanelHandlers(services);
  context.io.of('/server').on('connection', (socket) => {
    const { token, locale, actor } = callerOf(socket);
    const connection: PanelConnection = { socket, token, locale, actor, joined: new Map() };
    subscriptions.connections.add(connection);
    socket.on('disconnect', () => subscriptions.remove(connection));
    handleRequests(socket, { requests: panelRequests, handlers, connection }, throttle(socket, context.log));
  });
}
