import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  closeConnection,
  friendStatuses,
  friendsAmong,
  type PresenceChange,
  presence_channel,
  seeConnections,
  setStatus,
} from '#db/accounts/presence/presence.ts';
import type { AppContext } from '#db/context.ts';
import { PgSubscription } from '#db/platform/events/pg-subscription.ts';
import { actorOf, actorsOf } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { endWith } from '../../platform/http/http-server.ts';
import { targetOf } from '../../platform/http/request-target.ts';
import { clientMessage } from './client-message.ts';

type SocketServices = Pick<AppContext, 'sql' | 'lastUsed' | 'log' | 'now'>;
interface Options {
  services: SocketServices;
  /** The client's address, behind the trusted proxies. */
  addressOf(req: IncomingMessage): string;
  ping_ms?: number;
}

export interface LauncherSocket {
  /** Takes over the socket of an upgrade request; false when it is for another path. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
}

interface Connection {
  id: string;
  user_id: string;
  token: string;
  socket: WebSocket;
  /** Whether a frame arrived since the last ping. */
  alive: boolean;
  /** Messages since the last ping. */
  messages: number;
}

const path = '/_internal/launcher_socket';
const per_network = 64;
const per_user = 8;
/** More messages between two pings close the connection. */
const max_messages = 60;
const codes = { normal: 1000, going_away: 1001, unsupported: 1003, policy: 1008 } as const;

/**
 * The socket on which launchers tell friends what is played and hear of friends and requests: text frames with JSON. It
 * serves first-party sessions only, whose token stands in `code`; connections of several processes hear of each other
 * through Postgres. Tunnels between launchers are not offered: `socket_listen` is answered with `socket_closed`. Refuses
 * 401, 429 and 503 as JSON. Source: api-v3 §7.1.
 */
export function launcherSocket({ services, addressOf, ping_ms = 30_000 }: Options): LauncherSocket {
  const { sql, log, now } = services;
  const server = new WebSocketServer({ noServer: true, maxPayload: 4096, perMessageDeflate: false });
  const open = new Map<string, Connection>();
  const held = new Map<string, number>();
  let changes: PgSubscription | undefined;
  const pinging = setInterval(
    () => void ping().catch((err) => log.warn({ err }, 'Could not check launchers')),
    ping_ms,
  );
  pinging.unref();

  const upgrade: LauncherSocket['upgrade'] = (req, socket, head) => {
    const url = new URL(targetOf(req.url), 'http://localhost');
    if (url.pathname !== path) return false;
    socket.on('error', () => socket.destroy());
    const network = networkOf(addressOf(req));
    const count = held.get(network) ?? 0;
    if (count >= per_network) {
      endWith(socket, 429, tooMany);
      return true;
    }
    held.set(network, count + 1);
    socket.once('close', () =>
      held.get(network) === 1 ? held.delete(network) : held.set(network, held.get(network)! - 1),
    );
    accept(url.searchParams.get('code') ?? '', req, socket, head).catch((error) => {
      const refused = toRefused(error);
      if (!refused) log.error({ err: error }, 'A launcher could not connect');
      const { code, message, status } = refused ?? { code: 'busy', message: 'Try again soon.', status: 503 };
      endWith(socket, status, { error: code, description: message });
    });
    return true;
  };

  async function accept(token: string, req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const actor = await actorOf(services, token, now());
    if (!actor.interactive) return endWith(socket, 401, onlySessions);
    if (connectionsOf(actor.user_id).length >= per_user) return endWith(socket, 429, tooMany);
    changes ??= new PgSubscription(sql, {
      name: 'presence',
      log,
      channels: [presence_channel],
      onChange: (_channel, payload) =>
        void tell(JSON.parse(payload) as PresenceChange).catch((err) =>
          log.warn({ err }, 'Could not tell launchers'),
        ),
    });
    await changes.ready;
    server.handleUpgrade(
      req,
      socket,
      head,
      (one) => void begin(one, actor, token).catch(() => one.terminate()),
    );
  }

  async function begin(socket: WebSocket, { user_id }: Actor, token: string): Promise<void> {
    const connection: Connection = { id: randomUUID(), user_id, token, socket, alive: true, messages: 0 };
    open.set(connection.id, connection);
    socket.on('pong', () => {
      connection.alive = true;
    });
    socket.on('error', () => socket.terminate());
    // one after the other, so that the last status is the one that stays
    let working: Promise<void> = Promise.resolve();
    const inTurn = (work: () => Promise<void>) => {
      working = working.then(work).catch((err) => {
        log.warn({ err }, 'A message of a launcher failed');
        socket.close(codes.going_away);
      });
    };
    socket.on('message', (data, isBinary) => {
      connection.alive = true;
      connection.messages += 1;
      if (isBinary) return socket.close(codes.unsupported);
      if (connection.messages > max_messages) return socket.close(codes.policy);
      inTurn(() => receive(connection, String(data)));
    });
    socket.once('close', () => {
      open.delete(connection.id);
      inTurn(() => closeConnection(sql, { id: connection.id, user_id, now: now() }));
    });
    inTurn(async () => {
      await setStatus(sql, { id: connection.id, user_id, profile_name: null, now: now() });
      send(connection, { type: 'friend_statuses', statuses: await friendStatuses(sql, user_id, now()) });
    });
  }

  async function receive(connection: Connection, text: string): Promise<void> {
    const message = clientMessage(text);
    if (!message) return connection.socket.close(codes.policy);
    if (message.type === 'status_update') {
      const { id, user_id } = connection;
      await setStatus(sql, { id, user_id, profile_name: message.profile_name, now: now() });
    } else if (message.type === 'socket_listen')
      send(connection, { type: 'socket_closed', socket: message.socket });
  }

  /** Passes a change on to the connections of this process that may hear of it. */
  async function tell(change: PresenceChange): Promise<void> {
    if (open.size === 0) return;
    if ('to' in change) {
      const { to, ...message } = change;
      for (const connection of connectionsOf(to)) send(connection, message);
      return;
    }
    const about = change.type === 'user_offline' ? change.id : change.status.user_id;
    const users = new Set([...open.values()].map(({ user_id }) => user_id));
    const friends = new Set(await friendsAmong(sql, about, [...users]));
    for (const connection of open.values()) if (friends.has(connection.user_id)) send(connection, change);
  }

  /** Ends connections that are silent or whose session ended, and pings the others. */
  async function ping(): Promise<void> {
    if (open.size === 0) return;
    const all = [...open.values()];
    for (const one of all) {
      if (one.alive) one.socket.ping();
      else one.socket.terminate();
      one.alive = false;
      one.messages = 0;
    }
    const valid = await actorsOf(sql, [...new Set(all.map(({ token }) => token))], now());
    for (const one of all) if (!valid.has(one.token)) one.socket.close(codes.policy);
    await seeConnections(
      sql,
      all.map(({ id }) => id),
      now(),
    );
  }

  const connectionsOf = (user_id: string): Connection[] =>
    [...open.values()].filter((connection) => connection.user_id === user_id);

  return {
    upgrade,
    async close() {
      clearInterval(pinging);
      for (const { socket } of open.values()) socket.close(codes.going_away);
      server.close();
      await changes?.close();
    },
  };
}

function send({ socket }: Connection, message: object): void {
  // a client that does not read is closed by the next ping
  if (socket.readyState === socket.OPEN && socket.bufferedAmount < 1_000_000)
    socket.send(JSON.stringify(message));
}

const tooMany = {
  error: 'connections_too_many',
  description: 'Too many connections are open. Close some and try again.',
};
const onlySessions = {
  error: 'unauthorized',
  description: 'Only a session can open this socket. Sign in first.',
};
