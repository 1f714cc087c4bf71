import type { Namespace, Socket } from 'socket.io';
import type { ConsoleUpdate, ServerStats } from '../protocol/console.ts';
import { type Batch, type ClientPosition, LiveConsole, type Tail } from './live-console.ts';
import { roomOf } from './rooms.ts';
import { StatsHistory } from './stats-history.ts';

/** What consoles need of the agents of nodes, wherever these are connected. */
interface ConsoleSource {
  /** The newest lines before `before`; null while the agent is nowhere. */
  tail(node_id: string, server_id: string, before: number | null): ReturnType<Tail>;
  /** Other servers of the node are watched here than before. */
  watch(node_id: string): void;
}

interface ConsoleEntry {
  console: LiveConsole;
  node_id: string | null;
  /** Viewers of the stats. */
  statsViewers: Set<Socket>;
}

/** Who watches which console and stats in this process: lines are sent only while somebody does. */
export class Consoles {
  readonly #namespace: Namespace;
  readonly #agents: ConsoleSource;
  readonly #entries = new Map<string, ConsoleEntry>();
  readonly #stats: StatsHistory;
  #lines = 0;
  #paused_count = 0;

  constructor(namespace: Namespace, agents: ConsoleSource, now: () => Date) {
    this.#namespace = namespace;
    this.#agents = agents;
    this.#stats = new StatsHistory(() => now().getTime());
  }

  #entry(server_id: string, node_id: string | null): ConsoleEntry {
    let entry = this.#entries.get(server_id);
    if (!entry) {
      const created: ConsoleEntry = {
        node_id,
        statsViewers: new Set(),
        console: new LiveConsole(this.#namespace, server_id, async (before) =>
          created.node_id ? await this.#agents.tail(created.node_id, server_id, before) : null,
        ),
      };
      entry = created;
      this.#entries.set(server_id, entry);
      this.#watchOn(node_id);
    }
    return entry;
  }

  #drop(server_id: string, entry: ConsoleEntry): void {
    if (entry.console.viewers.size > 0 || entry.statsViewers.size > 0) return;
    entry.console.close();
    this.#paused_count += entry.console.paused_count;
    this.#entries.delete(server_id);
    this.#watchOn(entry.node_id);
  }

  #watchOn(node_id: string | null): void {
    if (node_id) this.#agents.watch(node_id);
  }

  /** Servers of a node that are watched here. */
  watchedOn(node_id: string): string[] {
    return [...this.#entries].filter(([, entry]) => entry.node_id === node_id).map(([id]) => id);
  }

  /** Adds a viewer of the console. Gives the lines that it shows first. */
  async enter(
    viewer: Socket,
    server: { id: string; node_id: string | null },
    position: ClientPosition | undefined,
  ): Promise<ConsoleUpdate | null> {
    return await this.#entry(server.id, server.node_id).console.enter(viewer, position);
  }

  leave(viewer: Socket, server_id: string): void {
    const entry = this.#entries.get(server_id);
    if (entry && !entry.console.leave(viewer)) this.#drop(server_id, entry);
  }

  /** Adds a viewer of the stats. */
  enterStats(viewer: Socket, server: { id: string; node_id: string | null }): void {
    viewer.join(roomOf(server.id, 'stats'));
    this.#entry(server.id, server.node_id).statsViewers.add(viewer);
  }

  /** The stats of a server in the last minute, oldest first. */
  statsOf(server_id: string): ServerStats[] {
    return this.#stats.of(server_id);
  }

  leaveStats(viewer: Socket, server_id: string): void {
    viewer.leave(roomOf(server_id, 'stats'));
    const entry = this.#entries.get(server_id);
    entry?.statsViewers.delete(viewer);
    if (entry) this.#drop(server_id, entry);
  }

  /** Handles lines that an agent sent of a server of its own. */
  take(server_id: string, batch: Batch): void {
    this.#lines += batch.lines.length;
    this.#entries.get(server_id)?.console.take(batch);
  }

  takeStats(stats: ServerStats): void {
    this.#stats.add(stats);
    if (!this.#entries.has(stats.server_id)) return;
    this.#namespace.volatile.to(roomOf(stats.server_id, 'stats')).emit('stats', stats);
  }

  /** A watched server is on this node now. */
  onServerMoved(server_id: string, node_id: string | null): void {
    const entry = this.#entries.get(server_id);
    if (!entry || entry.node_id === node_id) return;
    const before = entry.node_id;
    entry.node_id = node_id;
    this.#watchOn(before);
    this.#watchOn(node_id);
    void entry.console.backfill();
  }

  /** An agent connected, here or elsewhere: what its consoles missed is fetched. */
  onAgentConnected(node_id: string): void {
    for (const entry of this.#entries.values()) if (entry.node_id === node_id) void entry.console.backfill();
  }

  /** Viewers of consoles here. */
  get viewers(): number {
    let count = 0;
    for (const { console } of this.#entries.values()) count += console.viewers.size;
    return count;
  }

  /** Lines received from agents, and sends left out for slow viewers, since the start. */
  get counts(): { lines: number; paused: number } {
    let paused = this.#paused_count;
    for (const { console } of this.#entries.values()) paused += console.paused_count;
    return { lines: this.#lines, paused };
  }

  close(): void {
    for (const { console } of this.#entries.values()) console.close();
  }
}
