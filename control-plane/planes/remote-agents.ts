import type { Logger } from 'pino';
import { leaseOf } from '#db/hosting/nodes/read.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { Backoff } from '#db/platform/runtime/backoff.ts';
import type { AgentAccess } from '../agent-links/access.ts';
import type { Batch } from '../console/live-console.ts';
import type { ServerStats } from '../protocol/console.ts';
import type { PlaneLink } from './plane-link.ts';
import type { PlaneLinks } from './plane-links.ts';

const retry_bounds = { min_ms: 200, max_ms: 2_000 };
const watch_timeout_ms = 3_000;
/** Longer than the other plane waits for its agent. */
const request_timeouts = { tail: 7_500, command: 7_500, commands: 9_500, stats: 1_000 };

/** How much longer than the agent's answer that of its plane may take. */
const link_slack_ms = 2_500;

/** Where the agent of a node is: under which lease, at which other plane. */
export interface Holder {
  plane_id: string;
  lease: number;
}

/** What comes from agents at other planes, for the consoles here. */
interface RemoteEffects {
  takeLines(server_id: string, batch: Batch): void;
  takeStats(stats: ServerStats): void;
  /** The agent of a watched node is ready at another plane: what its consoles missed is fetched. */
  onConnected(node_id: string): void;
  onDisconnected(node_id: string): void;
}

interface WatchedNode {
  server_ids: string[];
  /** Where they are watched now: lines of any other plane or older lease are dropped. */
  source: (Holder & { link: PlaneLink; connected: boolean }) | null;
  pauses: Backoff;
  timer: NodeJS.Timeout | undefined;
}

interface Options {
  sql: Pool;
  log: Logger;
  id: string;
  links: PlaneLinks;
  effects: RemoteEffects;
}

/**
 * Agents that are connected to other planes: finds the plane by the lease of the node, asks it, and watches the consoles
 * that have viewers here. When the lease moves, it follows. Source: hosting §5.2, §5.4.
 */
export class RemoteAgents {
  readonly #options: Options;
  readonly #nodes = new Map<string, WatchedNode>();
  /** One change at a time for each node. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The servers of a node that have viewers here. */
  watch(node_id: string, server_ids: string[]): void {
    const node = this.#nodes.get(node_id);
    if (!node && server_ids.length === 0) return;
    if (node) node.server_ids = server_ids;
    else {
      const pauses = new Backoff(retry_bounds);
      this.#nodes.set(node_id, { server_ids, source: null, pauses, timer: undefined });
    }
    this.follow(node_id);
  }

  /** The lease of a node may have moved, or its agent has connected here. */
  follow(node_id: string): void {
    if (!this.#nodes.has(node_id)) return;
    const turn = (this.#turns.get(node_id) ?? Promise.resolve()).then(() => this.#follow(node_id));
    this.#turns.set(node_id, turn);
    void turn.finally(() => {
      if (this.#turns.get(node_id) === turn) this.#turns.delete(node_id);
    });
  }

  /** Follows every watched node: changes may have been missed. */
  followAll(): void {
    for (const node_id of this.#nodes.keys()) this.follow(node_id);
  }

  async #follow(node_id: string): Promise<void> {
    const node = this.#nodes.get(node_id);
    if (!node) return;
    clearTimeout(node.timer);
    try {
      const holder = node.server_ids.length === 0 ? null : await this.#holderOf(node_id);
      const { source } = node;
      if (source && (source.plane_id !== holder?.plane_id || source.lease !== holder.lease)) {
        this.#leave(node_id, node);
        // the same link goes on with the new lease
        if (source.plane_id !== holder?.plane_id)
          source.link
            .request('agent.watch', { node_id, lease: source.lease, server_ids: [] }, watch_timeout_ms)
            .catch(() => {});
      }
      if (node.server_ids.length === 0) this.#nodes.delete(node_id);
      else if (holder) await this.#watchAt(node_id, node, holder);
      node.pauses.reset();
    } catch (err) {
      this.#options.log.debug({ err, node_id }, 'Consoles of a node could not be watched, will retry');
      this.#retry(node_id, node);
    }
  }

  #retry(node_id: string, node: WatchedNode): void {
    clearTimeout(node.timer);
    node.timer = setTimeout(() => this.follow(node_id), node.pauses.next()).unref();
  }

  async #watchAt(node_id: string, node: WatchedNode, holder: Holder): Promise<void> {
    const link = await this.#options.links.to(holder.plane_id);
    const source = node.source ?? { ...holder, link, connected: false };
    // before the answer: lines may come at once
    node.source = source;
    const { connected } = await link.request(
      'agent.watch',
      { node_id, lease: holder.lease, server_ids: node.server_ids },
      watch_timeout_ms,
    );
    if (connected && !source.connected) this.#setConnected(node_id, source, true);
  }

  /** Another plane that holds the lease of the node; null when it is nobody, or this one. */
  async #holderOf(node_id: string): Promise<Holder | null> {
    const { sql, id } = this.#options;
    const row = await leaseOf(sql, node_id);
    return row?.holder && row.holder !== id ? { plane_id: row.holder, lease: row.lease } : null;
  }

  #setConnected(node_id: string, source: NonNullable<WatchedNode['source']>, connected: boolean): void {
    const was_connected = source.connected;
    source.connected = connected;
    const { onConnected, onDisconnected } = this.#options.effects;
    if (connected) onConnected(node_id);
    else if (was_connected) onDisconnected(node_id);
  }

  #leave(node_id: string, node: WatchedNode): void {
    const { source } = node;
    node.source = null;
    if (source) this.#setConnected(node_id, source, false);
  }

  /** The link to a plane was lost: its nodes are looked for again. */
  onLinkClosed(link: PlaneLink): void {
    for (const [node_id, node] of this.#nodes) {
      if (node.source?.link !== link) continue;
      this.#leave(node_id, node);
      this.#retry(node_id, node);
    }
  }

  /** The node's source, when the message came from it. */
  #sourceOf(link: PlaneLink, { node_id, lease }: { node_id: string; lease: number }) {
    const source = this.#nodes.get(node_id)?.source;
    if (source?.link !== link || lease < source.lease) return null;
    source.lease = lease; // its agent reconnected there
    return source;
  }

  onAgent(link: PlaneLink, message: { node_id: string; lease: number; connected: boolean }): void {
    const source = this.#sourceOf(link, message);
    if (source) this.#setConnected(message.node_id, source, message.connected);
  }

  onLines(link: PlaneLink, message: Batch & { node_id: string; lease: number; server_id: string }): void {
    const { server_id, epoch, from, lines } = message;
    if (this.#sourceOf(link, message)) this.#options.effects.takeLines(server_id, { epoch, from, lines });
  }

  onStats(link: PlaneLink, message: { node_id: string; lease: number; stats: ServerStats }): void {
    if (this.#sourceOf(link, message)) this.#options.effects.takeStats(message.stats);
  }

  /** Where the agent of a watched node is ready, without asking the database. */
  knownHolder(node_id: string): Holder | null {
    const source = this.#nodes.get(node_id)?.source;
    return source?.connected ? { plane_id: source.plane_id, lease: source.lease } : null;
  }

  /** The agent at another plane. Throws `plane_away` and `plane_protocol`. */
  async at(node_id: string, { plane_id, lease }: Holder): Promise<AgentAccess> {
    return new RemoteAgent(await this.#options.links.to(plane_id), { node_id, lease });
  }

  close(): void {
    for (const { timer } of this.#nodes.values()) clearTimeout(timer);
    this.#nodes.clear();
  }
}

/** The agent of a node at another plane. Refuses `agent_elsewhere` when its lease has moved: nothing was done then. */
class RemoteAgent implements AgentAccess {
  readonly #link: PlaneLink;
  readonly #node: { node_id: string; lease: number };

  constructor(link: PlaneLink, node: { node_id: string; lease: number }) {
    [this.#link, this.#node] = [link, node];
  }

  async tail(server_id: string, before: number | null, limit: number) {
    const message = { ...this.#node, server_id, before, limit };
    return await this.#orNull(
      this.#link.request('agent.tail', message, request_timeouts.tail).then(({ tail }) => tail),
    );
  }

  async writeCommand(server_id: string, text: string) {
    const message = { ...this.#node, server_id, text };
    const sent = this.#link.request('agent.command', message, request_timeouts.command);
    const answer = await this.#orNull(sent);
    return answer?.delivered
      ? { delivered: true as const }
      : { delivered: false as const, why: answer?.why ?? ('no_answer' as const) };
  }

  async knownCommands(server_id: string) {
    const message = { ...this.#node, server_id };
    return await this.#orNull(
      this.#link.request('agent.commands', message, request_timeouts.commands).then(({ known }) => known),
    );
  }

  async stats(server_ids: string[]) {
    const message = { ...this.#node, server_ids };
    const answer = await this.#orNull(this.#link.request('agent.stats', message, request_timeouts.stats));
    return answer?.stats ?? {};
  }

  async queryFiles(
    server_id: string,
    question: Parameters<AgentAccess['queryFiles']>[1],
    timeout_ms: number,
  ) {
    const message = { ...this.#node, server_id, ...question, timeout_ms };
    const sent = this.#link.request('agent.files', message as never, timeout_ms + link_slack_ms);
    return await this.#orNull(sent.then(({ answer }) => answer));
  }

  /** Null without an answer, as with an agent that is connected here. */
  async #orNull<T>(answer: Promise<T>): Promise<T | null> {
    return await answer.catch((error: unknown) => {
      if (error instanceof Refused && error.code !== 'plane_away') throw error;
      return null;
    });
  }
}
