import type { Namespace, Socket } from 'socket.io';
import { noticesFor } from '#db/hosting/notices/read.ts';
import type { OperationRow } from '#db/hosting/servers/operations/operations.ts';
import { type ServerRecord, serversById } from '#db/hosting/servers/read.ts';
import { accessOf, type ServerFacts, whyNotSee } from '#db/hosting/servers/rules.ts';
import type { RefusalCode } from '#db/platform/errors.ts';
import { Refused } from '#db/platform/errors.ts';
import { actorsOf } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Consoles } from '../console/consoles.ts';
import { roomOf } from '../console/rooms.ts';
import type { PlaneContext } from '../context.ts';
import { viewOperation } from '../operations/view-operation.ts';
import type { PanelEvents, PanelRequests, Room } from '../protocol/browser.ts';
import { errorAck } from '../sockets/handle.ts';

/** A user's open connection, and which rooms of which servers it is in. */
export interface PanelConnection {
  socket: Socket<PanelRequests, PanelEvents>;
  token: string;
  locale: string;
  actor: Actor;
  joined: Map<string, Subscription>;
}

/** A server as it was read last: it is read again when it changes. */
type ServerRef = Pick<ServerRecord, 'facts' | 'node_id'>;

interface Subscription extends ServerRef {
  rooms: Set<Room>;
  /** What the client was told that its user may do, as text. */
  access: string;
}

/** Rooms of a suspended server. */
export const suspendedRooms: readonly Room[] = ['state'];

/** Servers read in one query. */
const chunk = 200;

/** Every connection of `/server` here: what it is sent, and when its access ends. Source: hosting §5.2. */
export class PanelSubscriptions {
  readonly #context: Pick<PlaneContext, 'sql' | 'log' | 'now'>;
  readonly #namespace: Namespace<PanelRequests, PanelEvents>;
  readonly #consoles: Consoles;
  readonly connections = new Set<PanelConnection>();
  readonly #byServer = new Map<string, Set<PanelConnection>>();
  /** Hears who comes to the room `state` of a server, and that somebody may have left it. */
  onPeople: {
    came(connection: PanelConnection, server_id: string): void;
    left(server_id: string): void;
  } | null = null;

  constructor(
    context: Pick<PlaneContext, 'sql' | 'log' | 'now'>,
    namespace: Namespace<PanelRequests, PanelEvents>,
    consoles: Consoles,
  ) {
    this.#context = context;
    this.#namespace = namespace;
    this.#consoles = consoles;
  }

  isJoined(server_id: string): boolean {
    return this.#byServer.has(server_id);
  }

  joinedServers(): string[] {
    return [...this.#byServer.keys()];
  }

  /** Joined servers on any of these nodes. */
  joinedOn(nodes: readonly string[]): string[] {
    const found = new Set<string>();
    for (const { joined } of this.connections)
      for (const [id, { node_id }] of joined) if (node_id && nodes.includes(node_id)) found.add(id);
    return [...found];
  }

  /** Puts the connection into these rooms of the server and no others; the caller joins console and stats. */
  subscribe(
    connection: PanelConnection,
    server_id: string,
    { facts, node_id }: ServerRef,
    rooms: readonly Room[],
  ): void {
    const access = JSON.stringify(accessOf(connection.actor, facts));
    connection.joined.set(server_id, { rooms: new Set(rooms), facts, node_id, access });
    const there = this.#byServer.get(server_id) ?? new Set();
    this.#byServer.set(server_id, there.add(connection));
    // `console` and `stats` are joined by the caller
    for (const room of ['state', 'tasks'] as const)
      if (rooms.includes(room)) connection.socket.join(roomOf(server_id, room));
    if (rooms.includes('state')) this.onPeople?.came(connection, server_id);
  }

  unsubscribe(connection: PanelConnection, server_id: string): void {
    const joined = connection.joined.get(server_id);
    if (!joined) return;
    connection.joined.delete(server_id);
    const there = this.#byServer.get(server_id);
    there?.delete(connection);
    if (there?.size === 0) this.#byServer.delete(server_id);
    if (joined.rooms.has('console')) this.#consoles.leave(connection.socket, server_id);
    if (joined.rooms.has('stats')) this.#consoles.leaveStats(connection.socket, server_id);
    for (const room of joined.rooms) connection.socket.leave(roomOf(server_id, room));
    if (joined.rooms.has('state')) this.onPeople?.left(server_id);
  }

  /** The owner and the members who are in the room `state` here, by ID; staff who look after a server are not told. */
  peopleAt(server_id: string): string[] {
    const there = [...(this.#byServer.get(server_id) ?? [])].flatMap(({ actor, joined }) => {
      const { facts, rooms } = joined.get(server_id)!;
      const { user_id } = actor;
      const isKnown = facts.owner_id === user_id || facts.members?.some((one) => one.user_id === user_id);
      return isKnown && rooms.has('state') ? [user_id] : [];
    });
    return [...new Set(there)].sort();
  }

  /** The connection ended. */
  remove(connection: PanelConnection): void {
    for (const id of [...connection.joined.keys()]) this.unsubscribe(connection, id);
    this.connections.delete(connection);
  }

  /** Takes a connection out of a server's rooms and sends why. */
  #evict(connection: PanelConnection, server_id: string, why: RefusalCode): void {
    this.unsubscribe(connection, server_id);
    const refused = new Refused(why, { scope: 'SERVER_READ' });
    const { error, description } = errorAck(refused, connection.locale, this.#context.log, 'access.revoked');
    connection.socket.emit('access.revoked', { server_id, error, description });
  }

  /** Sends the state of servers; those of `ids` that are not among `known` were deleted. Evicts who may not see one any more. */
  broadcastServers(ids: readonly string[], known: readonly ServerRecord[]): void {
    const found = new Map(known.map((one) => [one.view.id, one]));
    for (const id of ids) {
      const server = found.get(id);
      for (const connection of [...(this.#byServer.get(id) ?? [])])
        this.#enforceAccess(connection, id, server?.facts ?? null);
      if (!server) continue;
      for (const { joined } of this.#byServer.get(id) ?? []) joined.get(id)!.node_id = server.node_id;
      this.#consoles.onServerMoved(id, server.node_id);
      this.#namespace.to(roomOf(id, 'state')).emit('state', { server: server.view });
    }
  }

  /** Sends an operation that a user requested to the panels in the room `tasks`, each in its language. */
  broadcastOperation(operation: OperationRow): void {
    const { server_id, actor_id } = operation;
    if (actor_id === null) return;
    for (const { joined, socket, locale } of this.#byServer.get(server_id) ?? [])
      if (joined.get(server_id)!.rooms.has('tasks'))
        socket.emit('operation', { server_id, operation: viewOperation(operation, locale) });
  }

  #enforceAccess(connection: PanelConnection, id: string, facts: ServerFacts | null): void {
    const why = whyNotSee(connection.actor, facts);
    if (why) {
      this.#evict(connection, id, why);
      return;
    }
    const joined = connection.joined.get(id)!;
    joined.facts = facts!;
    this.#tellAccess(connection, id, joined);
    const { rooms } = joined;
    if (facts!.lifecycle === 'suspended' && [...rooms].some((room) => !suspendedRooms.includes(room)))
      this.#evict(connection, id, 'server_suspended');
  }

  #tellAccess({ actor, socket }: PanelConnection, server_id: string, joined: Subscription): void {
    const access = accessOf(actor, joined.facts);
    const text = JSON.stringify(access);
    if (text === joined.access) return;
    joined.access = text;
    socket.emit('access', { server_id, access });
  }

  /** Authenticates everybody again: sessions end, tokens are revoked, roles and scopes change, both expire. */
  async revalidateAccess(): Promise<void> {
    const { sql, now } = this.#context;
    // those that connect meanwhile were authenticated at their handshake
    const connections = [...this.connections];
    const tokens = [...new Set(connections.map(({ token }) => token))];
    const actors = await actorsOf(sql, tokens, now());
    for (const connection of connections) {
      const actor = actors.get(connection.token);
      if (actor) connection.actor = actor;
      else this.#close(connection);
    }
    const ids = this.joinedServers();
    for (let at = 0; at < ids.length; at += chunk) {
      const some = ids.slice(at, at + chunk);
      const facts = new Map((await serversById(sql, some, now())).map((one) => [one.view.id, one.facts]));
      for (const id of some)
        for (const connection of [...(this.#byServer.get(id) ?? [])])
          this.#enforceAccess(connection, id, facts.get(id) ?? null);
    }
  }

  #close(connection: PanelConnection): void {
    for (const id of [...connection.joined.keys()]) this.#evict(connection, id, 'token_invalid');
    connection.socket.disconnect(true);
  }

  /** Sends these joined servers as they are now. */
  async refreshServers(ids: readonly string[]): Promise<void> {
    const { sql, now } = this.#context;
    for (let at = 0; at < ids.length; at += chunk) {
      const some = ids.slice(at, at + chunk);
      this.broadcastServers(some, await serversById(sql, some, now()));
    }
  }

  /** Sends every open panel the notices of its server that its user has not dismissed. */
  async broadcastNotices(): Promise<void> {
    const { sql, now } = this.#context;
    for (const { joined, actor, socket } of this.connections) {
      const servers = [...joined].map(([id, { node_id }]) => ({ id, node_id }));
      if (servers.length === 0) continue;
      const notices = await noticesFor(sql, actor.user_id, servers, now());
      for (const { id } of servers) socket.emit('notices', { server_id: id, notices: notices.get(id) ?? [] });
    }
  }

  /** Sends that the agent of these servers disconnected, or is back. */
  broadcastNode(node_id: string, online: boolean, last_seen: Date | null): void {
    for (const server_id of this.joinedOn([node_id])) {
      const message = { server_id, online, last_seen: last_seen?.toISOString() ?? null };
      this.#namespace.to(roomOf(server_id, 'state')).emit('node.status', message);
    }
  }
}
