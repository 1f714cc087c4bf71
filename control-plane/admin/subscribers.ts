import { nodeViews } from '#db/hosting/nodes/read.ts';
import { planeViews } from '#db/hosting/planes/read.ts';
import { type MoveView, moveViews } from '#db/hosting/servers/moves/read.ts';
import { staffServers } from '#db/hosting/servers/staff/read.ts';
import { actorsOf } from '#db/platform/people/read.ts';
import type { PlaneContext } from '../context.ts';
import { callerOf } from '../sockets/authenticate.ts';
import { createBatcher } from '../sockets/batcher.ts';
import { type StaffSocket, whyNotStaff } from './access.ts';
import { movesIn } from './moves-in.ts';

/** Lists are sent at most this often: changes of a moment come together. */
const pause_ms = 1_000;

/** What one administrator looks at. */
interface Looking {
  nodes: boolean;
  /** Servers on the page of the last search. */
  servers: Set<string>;
  moves: boolean;
}

/** Administrators that get what they look at as it changes. */
export class Subscribers {
  readonly #context: Pick<PlaneContext, 'sql' | 'log' | 'now'>;
  readonly #sockets = new Map<StaffSocket, Looking>();
  /** Servers of the moves that were sent last and go on. */
  readonly #moving = new Set<string>();
  readonly #batches;

  constructor(context: Pick<PlaneContext, 'sql' | 'log' | 'now'>) {
    this.#context = context;
    const failed = (err: unknown) => context.log.warn({ err }, 'Staff could not be told, will retry');
    const slowly = (send: (ids: string[]) => Promise<void>) =>
      createBatcher(async (ids) => {
        await send(ids);
        await new Promise((done) => setTimeout(done, pause_ms).unref());
      }, failed);
    this.#batches = {
      nodes: slowly(() => this.#sendNodes()),
      servers: slowly((ids) => this.#sendServers(ids)),
      moves: slowly(() => this.#sendMoves()),
    };
  }

  /** What the administrator of a socket looks at, to be changed. */
  of(socket: StaffSocket): Looking {
    const looking = this.#sockets.get(socket) ?? { nodes: false, servers: new Set(), moves: false };
    this.#sockets.set(socket, looking);
    return looking;
  }

  /** The socket was answered these moves and gets them as they change. */
  followMoves(socket: StaffSocket, moves: readonly MoveView[]): void {
    this.of(socket).moves = true;
    for (const { ended, server_id } of moves) if (ended === null) this.#moving.add(server_id);
  }

  leave(socket: StaffSocket): void {
    this.#sockets.delete(socket);
  }

  #looking(what: (looking: Looking) => boolean): StaffSocket[] {
    return [...this.#sockets].filter(([, looking]) => what(looking)).map(([socket]) => socket);
  }

  /** Nodes or planes changed. */
  notifyNodes(): void {
    if (this.#looking(({ nodes }) => nodes).length > 0) this.#batches.nodes.add('');
  }

  /** Servers changed, or their moves. */
  notifyServers(ids: readonly string[]): void {
    for (const id of ids)
      if (this.#looking(({ servers }) => servers.has(id)).length > 0) this.#batches.servers.add(id);
    if (ids.some((id) => this.#moving.has(id))) this.notifyMoves();
  }

  /** Changes may have been missed. */
  notifyAll(): void {
    this.notifyNodes();
    this.notifyMoves();
    this.notifyServers([...this.#sockets.values()].flatMap(({ servers }) => [...servers]));
  }

  /** Moves began or went on. */
  notifyMoves(): void {
    if (this.#looking(({ moves }) => moves).length > 0) this.#batches.moves.add('');
  }

  async #sendNodes(): Promise<void> {
    const { sql, now } = this.#context;
    const message = { nodes: await nodeViews(sql, now()), planes: await planeViews(sql) };
    for (const socket of this.#looking(({ nodes }) => nodes)) socket.emit('nodes', message);
  }

  async #sendServers(ids: string[]): Promise<void> {
    const { sql, now } = this.#context;
    const found = new Map((await staffServers(sql, ids, now())).map((one) => [one.server.id, one]));
    for (const [socket, { servers }] of this.#sockets) {
      const shown = ids.filter((id) => servers.has(id));
      if (shown.length === 0) continue;
      const gone = shown.filter((id) => !found.has(id));
      socket.emit('servers', { servers: shown.flatMap((id) => found.get(id) ?? []), gone });
    }
  }

  async #sendMoves(): Promise<void> {
    const { moves, next } = await moveViews(this.#context.sql);
    this.#moving.clear();
    for (const { ended, server_id } of moves) if (ended === null) this.#moving.add(server_id);
    for (const socket of this.#looking((looking) => looking.moves))
      socket.emit('moves', { moves: movesIn(callerOf(socket).locale, moves), next });
  }

  /** Disconnects those that are no longer administrators. */
  async revalidateAccess(): Promise<void> {
    if (this.#sockets.size === 0) return;
    const { sql, now } = this.#context;
    // those that subscribe meanwhile were authenticated by then
    const sockets = [...this.#sockets.keys()];
    const tokens = new Set(sockets.map((socket) => callerOf(socket).token));
    const actors = await actorsOf(sql, [...tokens], now());
    for (const socket of sockets) {
      const actor = actors.get(callerOf(socket).token);
      if (!actor || whyNotStaff(actor, 'SERVER_READ')) socket.disconnect(true);
    }
  }

  stop(): void {
    for (const batch of Object.values(this.#batches)) batch.stop();
  }
}
