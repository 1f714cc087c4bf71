import { panelRequests } from '../protocol/browser.ts';
import { callerOf } from '../sockets/authenticate.ts';
import { handleRequests } from '../sockets/handle.ts';
import { throttle } from '../sockets/throttle.ts';
import { createPanelHandlers } from './handlers.ts';
import type { PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

/** Handles connections of panels and of `cairn server`; `requireUser` has admitted them. Source: hosting §5. */
export function openPanelGateway(services: PanelServices): void {
  const { context, subscriptions } = services;
  const answering = createPanelHandlers(services);
  context.io.of('/server').on('connection', (socket) => {
    const { token, locale, actor } = callerOf(socket);
    const connection: PanelConnection = { socket, token, locale, actor, joined: new Map() };
    subscriptions.connections.add(connection);
    socket.on('disconnect', () => subscriptions.remove(connection));
    handleRequests(socket, { requests: panelRequests, ...answering, connection }, throttle(socket, context));
  });
}
