import type { Socket } from 'socket.io';
import { resumeByStaff } from '#db/billing/staff.ts';
import { allow } from '#db/errors.ts';
import { nodeViews } from '#db/nodes/read.ts';
import { drain } from '#db/nodes/write.ts';
import { actorsOf } from '#db/people/read.ts';
import { type Actor, hasScope, isAdmin } from '#db/people/rules.ts';
import { serverView } from '#db/servers/read.ts';
import { resize } from '#db/servers/resize.ts';
import { suspend } from '#db/servers/write.ts';
import type { Db } from '#db/sql.ts';
import { actorNow } from './callers.ts';
import { gather } from './gather.ts';
import type { Hub } from './hub.ts';
import type { Tally } from './limits.ts';
import { listen } from './listen.ts';
import { admission, guard } from './panel/door.ts';
import { fromStaff } from './protocol.ts';

/** At most so often the fleet is told anew: heartbeats of many nodes come together. */
const pause_ms = 1_000;

/** Why `actor` may not look after the fleet, or null. */
const whyNotStaff = (actor: Actor, scope: 'SERVER_READ' | 'SERVER_WRITE') =>
  !isAdmin(actor) ? 'admins_only' : hasScope(actor, scope) ? null : 'scope_missing';

/** The namespace of staff: the fleet, live. Source: hosting §5.2. */
export class Staff {
  readonly #hub: () => Hub;
  readonly #here = new Map<Socket, string>();
  #desk: ReturnType<typeof gather>;

  constructor(hub: () => Hub) {
    this.#hub = hub;
    this.#desk = gather(
      () => this.#tell(),
      (err) => hub().log.warn({ err }, 'The fleet could not be told to staff; it is tried again'),
    );
  }

  open(tally: Tally): void {
    const hub = this.#hub();
    const { sql, now } = hub.record;
    const namespace = hub.io.of('/staff');
    guard(hub, namespace, tally);
    namespace.on('connection', (socket) => {
      const { token } = socket.data.caller as { token: string };
      socket.on('disconnect', () => this.#here.delete(socket));
      const admit = admission(hub, socket);
      const asStaff = async (scope: 'SERVER_READ' | 'SERVER_WRITE') => {
        const actor = await actorNow(sql, token, now());
        allow(whyNotStaff(actor, scope), { scope });
        return actor;
      };
      listen(socket, 'node.list', fromStaff['node.list'], admit('calls'), async () => {
        await asStaff('SERVER_READ');
        this.#here.set(socket, token);
        return { nodes: await nodeViews(sql, now()) };
      });
      listen(socket, 'node.drain', fromStaff['node.drain'], admit('calls'), async ({ node_id, draining }) => {
        await asStaff('SERVER_WRITE');
        await sql.begin((tx) => drain(tx, node_id, draining));
        const [node] = await nodeViews(sql, now(), node_id);
        return { node: node! };
      });
      /** Does `verb` to a server; whoever is no administrator is not told whether there is one. */
      const toServer = async (server_id: string, verb: (tx: Db) => Promise<void>) => {
        const actor = await asStaff('SERVER_WRITE');
        await sql.begin(verb);
        return { server: await serverView(sql, actor, server_id, now()) };
      };
      listen(socket, 'server.resize', fromStaff['server.resize'], admit('calls'), (wish) =>
        toServer(wish.server_id, (tx) => resize(tx, wish, now())),
      );
      listen(socket, 'server.suspend', fromStaff['server.suspend'], admit('calls'), ({ server_id, reason }) =>
        toServer(server_id, (tx) => suspend(tx, server_id, reason)),
      );
      listen(socket, 'server.resume', fromStaff['server.resume'], admit('calls'), ({ server_id }) =>
        toServer(server_id, (tx) => resumeByStaff(tx, server_id)),
      );
    });
  }

  /** Something about nodes changed: staff who look are told, the changes of a moment together. */
  changed(): void {
    if (this.#here.size > 0) this.#desk.add('');
  }

  async #tell(): Promise<void> {
    const { sql, now } = this.#hub().record;
    const nodes = await nodeViews(sql, now());
    for (const socket of this.#here.keys()) socket.emit('nodes', { nodes });
    await new Promise((go) => setTimeout(go, pause_ms).unref());
  }

  /** Whoever is no administrator any more sees the fleet no longer. */
  async checkRights(): Promise<void> {
    if (this.#here.size === 0) return;
    const { sql, now } = this.#hub().record;
    const actors = await actorsOf(sql, [...new Set(this.#here.values())], now());
    for (const [socket, token] of this.#here) {
      const actor = actors.get(token);
      if (!actor || whyNotStaff(actor, 'SERVER_READ')) socket.disconnect(true);
    }
  }

  stop(): void {
    this.#desk.stop();
  }
}
