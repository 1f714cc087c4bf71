import type { Socket } from 'socket.io';
import { bufferedBytes } from '../console/backpressure.ts';
import type { Batch } from '../console/live-console.ts';
import type { ServerStats } from '../protocol/console.ts';
import type { PlaneEvents, PlaneRequests } from '../protocol/plane.ts';

/** The connection from another plane. */
export type PlaneSocket = Socket<PlaneRequests, PlaneEvents>;

/** A plane with more bytes than this on their way to it gets no lines until most have arrived; it fetches them then. */
const high_water_bytes = 16_000_000;
const low_water_bytes = 1_000_000;
const retry_ms = 50;

/** An agent here, as the watching planes know it. */
interface Source {
  node_id: string;
  lease: number;
}

/** What other planes watch on the agents connected here: they get lines and stats as the agent sends them. */
export class Relay {
  readonly #onWatched: (node_id: string) => void;
  /** Of each plane, the watched servers of each node. */
  readonly #watching = new Map<PlaneSocket, Map<string, ReadonlySet<string>>>();
  readonly #byServer = new Map<string, Set<PlaneSocket>>();
  /** Consoles of which a plane was left out, with the end of what it has not got. */
  readonly #skipped = new Map<PlaneSocket, Map<string, Source & { epoch: string; next: number }>>();
  #timer: NodeJS.Timeout | undefined;

  /** `onWatched` hears that other servers of a node are watched now. */
  constructor(onWatched: (node_id: string) => void) {
    this.#onWatched = onWatched;
  }

  /** A plane watches these servers of a node, and no others of it any more. */
  watch(plane: PlaneSocket, node_id: string, server_ids: readonly string[]): void {
    const nodes = this.#watching.get(plane) ?? new Map<string, ReadonlySet<string>>();
    const wanted = new Set(server_ids);
    for (const id of nodes.get(node_id) ?? []) if (!wanted.has(id)) this.#leave(plane, id);
    for (const id of wanted) {
      const planes = this.#byServer.get(id) ?? new Set();
      this.#byServer.set(id, planes.add(plane));
    }
    if (wanted.size > 0) nodes.set(node_id, wanted);
    else nodes.delete(node_id);
    if (nodes.size > 0) this.#watching.set(plane, nodes);
    else this.#watching.delete(plane);
    this.#onWatched(node_id);
  }

  #leave(plane: PlaneSocket, server_id: string): void {
    const planes = this.#byServer.get(server_id);
    planes?.delete(plane);
    if (planes?.size === 0) this.#byServer.delete(server_id);
    this.#skipped.get(plane)?.delete(server_id);
  }

  /** The link of a plane was lost. */
  forget(plane: PlaneSocket): void {
    const nodes = this.#watching.get(plane);
    this.#skipped.delete(plane);
    for (const node_id of [...(nodes?.keys() ?? [])]) this.watch(plane, node_id, []);
  }

  /** Servers of a node that other planes watch. */
  watchedOn(node_id: string): string[] {
    const found = new Set<string>();
    for (const nodes of this.#watching.values()) for (const id of nodes.get(node_id) ?? []) found.add(id);
    return [...found];
  }

  /** The agent of a node is ready here, or gone. */
  agent({ node_id, lease }: Source, connected: boolean): void {
    for (const [plane, nodes] of this.#watching)
      if (nodes.has(node_id)) plane.emit('agent', { node_id, lease, connected });
  }

  lines({ node_id, lease }: Source, server_id: string, { epoch, from, lines }: Batch): void {
    for (const plane of this.#byServer.get(server_id) ?? []) {
      const skipped = this.#skipped.get(plane);
      if (!skipped && bufferedBytes(plane, high_water_bytes) <= high_water_bytes) {
        plane.emit('lines', { node_id, lease, server_id, epoch, from, lines });
        continue;
      }
      const next = (lines.at(-1)?.seq ?? from - 1) + 1;
      this.#skipped.set(plane, (skipped ?? new Map()).set(server_id, { node_id, lease, epoch, next }));
      this.#timer ??= setInterval(() => this.#catchUp(), retry_ms).unref();
    }
  }

  /** Tells planes that have drained how far the consoles have come: they fetch what is missing. */
  #catchUp(): void {
    for (const [plane, consoles] of this.#skipped) {
      if (bufferedBytes(plane, low_water_bytes) > low_water_bytes) continue;
      this.#skipped.delete(plane);
      for (const [server_id, { next, ...at }] of consoles)
        plane.emit('lines', { ...at, server_id, from: next, lines: [] });
    }
    if (this.#skipped.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  stats({ node_id, lease }: Source, stats: ServerStats): void {
    for (const plane of this.#byServer.get(stats.server_id) ?? [])
      plane.volatile.emit('stats', { node_id, lease, stats });
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
