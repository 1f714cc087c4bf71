import type { Namespace, Socket } from 'socket.io';
import type { PlaneContext } from '../context.ts';
import { type StaffEvents, type StaffRequests, staffRequests } from '../protocol/staff.ts';
import { handleRequests } from '../sockets/handle.ts';
import { throttle } from '../sockets/throttle.ts';
import { nodeHandlers } from './node-handlers.ts';
import { serverHandlers } from './server-handlers.ts';
import { Subscribers } from './subscribers.ts';

type Context = Pick<PlaneContext, 'sql' | 'lastUsed' | 'log' | 'now' | 'membership' | 'settings'>;

/**
 * Opens the namespace of administrators: nodes, servers of everybody and their moves, live; `requireUser` has admitted the
 * sockets. Source: hosting §5.2.
 */
export function openAdminGateway(
  context: Context,
  namespace: Namespace<StaffRequests, StaffEvents>,
): Subscribers {
  const subscribers = new Subscribers(context);
  const handlers = { ...nodeHandlers(context, subscribers), ...serverHandlers(context, subscribers) };
  namespace.on('connection', (socket) => {
    socket.on('disconnect', () => subscribers.leave(socket));
    handleRequests(
      socket as unknown as Socket,
      { requests: staffRequests, handlers, connection: socket },
      throttle(socket as unknown as Socket, context),
    );
  });
  return subscribers;
}
