import type { z } from 'zod';
import { noticesFor } from '#db/hosting/notices/read.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { accessOf } from '#db/hosting/servers/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { panelRequests, Room } from '../protocol/browser.ts';
import { limits } from '../sockets/limits.ts';
import type { PanelServices } from './services.ts';
import { statsOf } from './stats-of.ts';
import { type PanelConnection, suspendedRooms } from './subscriptions.ts';

/**
 * Joins the rooms of a server and leaves those not named. State, console, stats and notices come with the answer. Refuses
 * `limit_reached`, and as `findAuthorizedServer`.
 */
export async function joinServer(
  services: PanelServices,
  connection: PanelConnection,
  message: z.output<(typeof panelRequests)['server.join']['input']>,
) {
  const { context, subscriptions, consoles } = services;
  const { server_id } = message;
  const { joined, socket, actor } = connection;
  if (!joined.has(server_id) && joined.size >= limits.joined_servers)
    throw new Refused('limit_reached', { limit: limits.joined_servers });
  const { sql, now } = context;
  let server = await findAuthorizedServer(sql, actor, server_id, now());
  // before its console: nothing is awaited after that
  const stats = message.rooms.includes('stats') ? (await statsOf(services, [server_id]))[server_id] : [];
  const notices = await noticesFor(sql, actor.user_id, [{ id: server_id, node_id: server.node_id }], now());
  subscriptions.unsubscribe(connection, server_id);
  // in the rooms first, so that whatever changes from here on is received; then read once more
  const first = message.rooms.filter((room) => room !== 'console' && room !== 'stats');
  subscriptions.subscribe(connection, server_id, server, first);
  try {
    server = await findAuthorizedServer(sql, connection.actor, server_id, now());
  } catch (error) {
    subscriptions.unsubscribe(connection, server_id);
    throw error;
  }
  if (!joined.has(server_id)) throw new Refused('server_not_found');
  const suspended = server.view.lifecycle === 'suspended';
  const rooms: readonly Room[] = message.rooms.filter((room) => !suspended || suspendedRooms.includes(room));
  subscriptions.unsubscribe(connection, server_id);
  subscriptions.subscribe(connection, server_id, server, rooms);
  const at = { id: server_id, node_id: server.node_id };
  if (rooms.includes('stats')) consoles.enterStats(socket, at);
  // last, with nothing awaited after it: the next live line must not come before what is shown first
  const console = rooms.includes('console') ? await consoles.enter(socket, at, message.console) : null;
  if (!joined.has(server_id)) throw new Refused('server_not_found');
  return {
    server: server.view,
    access: accessOf(connection.actor, server.facts),
    console,
    stats: rooms.includes('stats') ? (stats ?? []) : [],
    notices: notices.get(server_id) ?? [],
  };
}
