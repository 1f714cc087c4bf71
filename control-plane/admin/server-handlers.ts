import { moveViews } from '#db/hosting/servers/moves/read.ts';
import { cancelMove, requestMove } from '#db/hosting/servers/moves/request.ts';
import { zoneText } from '#db/hosting/servers/names/zone.ts';
import { serverView } from '#db/hosting/servers/read.ts';
import { resizeServer } from '#db/hosting/servers/resize.ts';
import { findServers } from '#db/hosting/servers/staff/read.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { resumeByStaff } from '#db/money/billing/staff.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { PlaneContext } from '../context.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { staffRequests } from '../protocol/staff.ts';
import { callerOf } from '../sockets/authenticate.ts';
import { asStaff, type StaffSocket } from './access.ts';
import { movesIn } from './moves-in.ts';
import type { Subscribers } from './subscribers.ts';

type Requests = Omit<typeof staffRequests, Extract<keyof typeof staffRequests, `node.${string}`>>;

/** What administrators do with servers of everybody; `cairn server` sends the same requests. */
export function serverHandlers(
  context: Pick<PlaneContext, 'sql' | 'lastUsed' | 'now' | 'settings'>,
  subscribers: Subscribers,
): Handlers<Requests, StaffSocket> {
  const { sql, now, settings } = context;
  /** Changes a server. Other users do not learn whether it exists. */
  const updateServer = async (
    socket: StaffSocket,
    server_id: string,
    change: (tx: Db, actor_id: string) => Promise<void>,
  ) => {
    const actor = await asStaff(context, socket, 'SERVER_WRITE');
    await sql.begin((tx) => change(tx, actor.user_id));
    return { server: await serverView(sql, actor, server_id, now()) };
  };
  return {
    'server.search': async (socket, search) => {
      await asStaff(context, socket, 'SERVER_READ');
      const found = await findServers(sql, search, { now: now(), domain: settings.SERVERS_DOMAIN ?? null });
      subscribers.of(socket).servers = new Set(found.servers.map(({ server }) => server.id));
      return found;
    },
    'server.resize': (socket, size) =>
      updateServer(socket, size.server_id, (tx, actor_id) => resizeServer(tx, size, now(), actor_id)),
    'server.suspend': (socket, { server_id, reason }) =>
      updateServer(socket, server_id, (tx, actor_id) => suspendServer(tx, server_id, reason, actor_id)),
    'server.resume': (socket, { server_id }) =>
      updateServer(socket, server_id, (tx, actor_id) => resumeByStaff(tx, server_id, now(), actor_id)),
    'server.move': (socket, { server_id, op_id, node_id, drop_backups }) =>
      updateServer(socket, server_id, (tx, actor_id) => {
        const request = { id: op_id, server_id, to_node: node_id, drop_backups };
        return requestMove(tx, request, { actor_id, reason: 'staff' }, now());
      }),
    'server.cancel_move': (socket, { server_id }) =>
      updateServer(socket, server_id, (tx) => cancelMove(tx, server_id, now())),
    'move.list': async (socket, { before }) => {
      await asStaff(context, socket, 'SERVER_READ');
      const { moves, next } = await moveViews(sql, before);
      if (before === null) subscribers.followMoves(socket, moves);
      return { moves: movesIn(callerOf(socket).locale, moves), next };
    },
    'dns.zone': async (socket) => {
      await asStaff(context, socket, 'SERVER_READ');
      const { SERVERS_DOMAIN, SERVERS_NAME_SERVERS } = settings;
      if (!SERVERS_DOMAIN) throw new Refused('subdomains_off');
      const names = { SERVERS_DOMAIN, SERVERS_NAME_SERVERS };
      return { zone: await sql.begin((tx) => zoneText(tx, names, now())) };
    },
  };
}
