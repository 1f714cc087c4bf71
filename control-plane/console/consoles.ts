import type { Namespace, Socket } from 'socket.io';
import type { ServerStats } from '../agent-protocol.ts';
import type { ConsoleUpdate } from '../protocol.ts';
import { roomOf } from '../rooms.ts';
import { type Batch, type Shown, type Tail, Watched } from './watched.ts';

/** What consoles need of the agent that serves a node here; undefined while it is away or elsewhere. */
interface Reach {
  tail(node_id: string, server_id: string): ReturnType<Tail>;
  /** Tells a node's agent which of its servers somebody looks at. */
  watch(node_id: string, server_ids: string[]): void;
}

interface Look {
  watched: Watched;
  node_id: string | null;
  /** Viewers of the stats. */
  gauges: Set<Socket>;
}

/** Who looks at which console and stats in this process: lines travel only while somebody does. */
export class Consoles {
  readonly #namespace: Namespace;
  readonly #reach: Reach;
  readonly #looks = new Map<string, Look>();
  readonly #stats = new Map<string, ServerStats>();
  #lines = 0;
  #held = 0;

  constructor(namespace: Namespace, reach: Reach) {
    this.#namespace = namespace;
    this.#reach = reach;
  }

  #look(server_id: string, node_id: string | null): Look {
    let look = this.#looks.get(server_id);
    if (!look) {
      const made: Look = {
        node_id,
        gauges: new Set(),
        watched: new Watched(this.#namespace, server_id, async () =>
          made.node_id ? await this.#reach.tail(made.node_id, server_id) : null,
        ),
      };
      look = made;
      this.#looks.set(server_id, look);
      this.#tellAgent(node_id);
    }
    return look;
  }

  #drop(server_id: string, look: Look): void {
    if (look.watched.viewers.size > 0 || look.gauges.size > 0) return;
    look.watched.close();
    this.#held += look.watched.held;
    this.#looks.delete(server_id);
    this.#stats.delete(server_id);
    this.#tellAgent(look.node_id);
  }

  #tellAgent(node_id: string | null): void {
    if (node_id) this.#reach.watch(node_id, this.watchedOn(node_id));
  }

  /** Servers of a node that somebody looks at here. */
  watchedOn(node_id: string): string[] {
    return [...this.#looks].filter(([, look]) => look.node_id === node_id).map(([id]) => id);
  }

  /** A viewer sees the console live from now on; gives what it has to show first. */
  async enter(
    viewer: Socket,
    server: { id: string; node_id: string | null },
    shown: Shown | undefined,
  ): Promise<ConsoleUpdate | null> {
    return await this.#look(server.id, server.node_id).watched.enter(viewer, shown);
  }

  leave(viewer: Socket, server_id: string): void {
    const look = this.#looks.get(server_id);
    if (look && !look.watched.leave(viewer)) this.#drop(server_id, look);
  }

  /** A viewer sees the stats from now on, the newest that are known first. */
  enterStats(viewer: Socket, server: { id: string; node_id: string | null }): void {
    viewer.join(roomOf(server.id, 'stats'));
    this.#look(server.id, server.node_id).gauges.add(viewer);
    const last = this.#stats.get(server.id);
    if (last) viewer.emit('stats', last);
  }

  leaveStats(viewer: Socket, server_id: string): void {
    viewer.leave(roomOf(server_id, 'stats'));
    const look = this.#looks.get(server_id);
    look?.gauges.delete(viewer);
    if (look) this.#drop(server_id, look);
  }

  /** Lines an agent sent of a server of its own. */
  take(server_id: string, batch: Batch): void {
    this.#lines += batch.lines.length;
    this.#looks.get(server_id)?.watched.take(batch);
  }

  takeStats(stats: ServerStats): void {
    if (!this.#looks.has(stats.server_id)) return;
    this.#stats.set(stats.server_id, stats);
    this.#namespace.volatile.to(roomOf(stats.server_id, 'stats')).emit('stats', stats);
  }

  /** Where a server lies now, when it got a place while somebody looked. */
  placed(server_id: string, node_id: string | null): void {
    const look = this.#looks.get(server_id);
    if (!look || look.node_id === node_id) return;
    look.node_id = node_id;
    this.#tellAgent(node_id);
    void look.watched.fill();
  }

  /** An agent came (back): what its consoles missed is asked for. */
  agentCame(node_id: string): void {
    this.#tellAgent(node_id);
    for (const look of this.#looks.values()) if (look.node_id === node_id) void look.watched.fill();
  }

  /** Viewers of consoles here. */
  get viewers(): number {
    let count = 0;
    for (const { watched } of this.#looks.values()) count += watched.viewers.size;
    return count;
  }

  /** Lines taken from agents, and sends held back from slow viewers, since the start. */
  get counts(): { lines: number; held: number } {
    let held = this.#held;
    for (const { watched } of this.#looks.values()) held += watched.held;
    return { lines: this.#lines, held };
  }

  close(): void {
    for (const { watched } of this.#looks.values()) watched.close();
  }
}
