import type { Namespace, Socket } from 'socket.io';
import { resumeByStaff } from '#db/billing/staff.ts';
import { assertAllowed, Refused } from '#db/errors.ts';
import { nodeViews } from '#db/nodes/read.ts';
import { setDraining } from '#db/nodes/write.ts';
import { actorsOf } from '#db/people/read.ts';
import { type Actor, hasScope, isAdmin } from '#db/people/rules.ts';
import { planeViews } from '#db/planes/read.ts';
import { zoneText } from '#db/servers/names/zone.ts';
import { serverView } from '#db/servers/read.ts';
import { resizeServer } from '#db/servers/resize.ts';
import { suspendServer } from '#db/servers/write.ts';
import type { Db } from '#db/sql.ts';
import { createBatcher } from '../batcher.ts';
import type { PlaneContext } from '../context.ts';
import type { Handlers } from '../protocol/ack.ts';
import { type StaffEvents, type StaffRequests, staffRequests } from '../protocol/staff.ts';
import { authenticate, callerOf } from '../sockets/authenticate.ts';
import { handleRequests } from '../sockets/handle.ts';
import { throttle } from '../sockets/throttle.ts';

/** Nodes are sent at most this often: heartbeats of many nodes come together. */
const pause_ms = 1_000;

type StaffScope = 'SERVER_READ' | 'SERVER_WRITE';
type StaffSocket = Socket<StaffRequests, StaffEvents>;

/** Why `actor` may not manage nodes and servers of others, or null. */
const whyNotStaff = (actor: Actor, scope: StaffScope) =>
  !isAdmin(actor) ? 'admins_only' : hasScope(actor, scope) ? null : 'scope_missing';

/** The namespace of administrators: all nodes and planes, live; `requireUser` has admitted the sockets. Source: hosting §5.2. */
export class AdminGateway {
  readonly #context: Pick<PlaneContext, 'sql' | 'lastUsed' | 'log' | 'now' | 'membership' | 'settings'>;
  /** Sockets that get all nodes, with their tokens. */
  readonly #subscribers = new Map<StaffSocket, string>();
  readonly #changes: ReturnType<typeof createBatcher>;

  constructor(
    context: Pick<PlaneContext, 'sql' | 'lastUsed' | 'log' | 'now' | 'membership' | 'settings'>,
    namespace: Namespace<StaffRequests, StaffEvents>,
  ) {
    this.#context = context;
    this.#changes = createBatcher(
      () => this.#broadcast(),
      (err) => context.log.warn({ err }, 'Nodes could not be sent to staff, will retry'),
    );
    const handlers = this.#handlers();
    namespace.on('connection', (socket) => {
      socket.on('disconnect', () => this.#subscribers.delete(socket));
      handleRequests(
        socket as unknown as Socket,
        { requests: staffRequests, handlers, connection: socket },
        throttle(socket as unknown as Socket, context),
      );
    });
  }

  #handlers(): Handlers<typeof staffRequests, StaffSocket> {
    const { sql, now } = this.#context;
    const asStaff = async (socket: StaffSocket, scope: StaffScope) => {
      const actor = await authenticate(this.#context, callerOf(socket).token);
      assertAllowed(whyNotStaff(actor, scope), { scope });
      return actor;
    };
    /** Changes a server. Other users do not learn whether it exists. */
    const updateServer = async (
      socket: StaffSocket,
      server_id: string,
      change: (tx: Db, actor_id: string) => Promise<void>,
    ) => {
      const actor = await asStaff(socket, 'SERVER_WRITE');
      await sql.begin((tx) => change(tx, actor.user_id));
      return { server: await serverView(sql, actor, server_id, now()) };
    };
    return {
      'node.list': async (socket) => {
        await asStaff(socket, 'SERVER_READ');
        this.#subscribers.set(socket, callerOf(socket).token);
        return { nodes: await nodeViews(sql, now()), planes: await planeViews(sql) };
      },
      'node.drain': async (socket, { node_id, draining }) => {
        const { user_id } = await asStaff(socket, 'SERVER_WRITE');
        await sql.begin((tx) => setDraining(tx, node_id, draining, user_id));
        const [node] = await nodeViews(sql, now(), node_id);
        return { node: node! };
      },
      'dns.zone': async (socket) => {
        await asStaff(socket, 'SERVER_READ');
        const { SERVERS_DOMAIN, SERVERS_NAME_SERVERS } = this.#context.settings;
        if (!SERVERS_DOMAIN) throw new Refused('subdomains_off');
        const names = { SERVERS_DOMAIN, SERVERS_NAME_SERVERS };
        return { zone: await sql.begin((tx) => zoneText(tx, names, now())) };
      },
      'server.resize': (socket, size) =>
        updateServer(socket, size.server_id, (tx, actor_id) => resizeServer(tx, size, now(), actor_id)),
      'server.suspend': (socket, { server_id, reason }) =>
        updateServer(socket, server_id, (tx, actor_id) => suspendServer(tx, server_id, reason, actor_id)),
      'server.resume': (socket, { server_id }) =>
        updateServer(socket, server_id, (tx, actor_id) => resumeByStaff(tx, server_id, actor_id)),
    };
  }

  /** Nodes or planes changed: subscribers get them, the changes of a moment together. */
  notifyNodes(): void {
    if (this.#subscribers.size > 0) this.#changes.add('');
  }

  async #broadcast(): Promise<void> {
    const { sql, now } = this.#context;
    const message = { nodes: await nodeViews(sql, now()), planes: await planeViews(sql) };
    for (const socket of this.#subscribers.keys()) socket.emit('nodes', message);
    await new Promise((done) => setTimeout(done, pause_ms).unref());
  }

  /** Disconnects subscribers that are no longer administrators. */
  async revalidateAccess(): Promise<void> {
    if (this.#subscribers.size === 0) return;
    const { sql, now } = this.#context;
    // those that subscribe meanwhile were authenticated by then
    const subscribers = [...this.#subscribers];
    const actors = await actorsOf(sql, [...new Set(this.#subscribers.values())], now());
    for (const [socket, token] of subscribers) {
      const actor = actors.get(token);
      if (!actor || whyNotStaff(actor, 'SERVER_READ')) socket.disconnect(true);
    }
  }

  stop(): void {
    this.#changes.stop();
  }
}
