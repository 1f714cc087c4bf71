import type { Socket } from 'socket.io';
import type { OperationRow } from '#db/servers/operations.ts';
import type { Wanted } from '#db/servers/read.ts';
import type { ConsoleLine, FromAgent, Operation, OperationAnswer, ToAgent } from '../agent-protocol.ts';
import { tail_lines } from '../console/watched.ts';

export type AgentSocket = Socket<FromAgent, ToAgent>;

/** An agent that did not answer in this time is asked again by the next look. */
const answer_ms = 10_000;
const tail_ms = 5_000;
/** Commands and history are for people who wait. */
const command_ms = 5_000;

type CommandAnswer =
  | { delivered: true }
  | { delivered: false; why: 'not_running' | 'stale' | 'failed' | 'no_answer' };

/** What the record is told of an agent's answers. */
export interface Notes {
  specTaken(server_id: string): Promise<void>;
  operation(operation: OperationRow, answer: OperationAnswer): Promise<void>;
  trouble(error: unknown, what: string): void;
}

/** One agent that speaks for its node here: tells it what is wanted until it says that it has written it down. */
export class AgentLink {
  readonly socket: AgentSocket;
  readonly node_id: string;
  readonly lease: number;
  readonly installation: string;
  /** SHA-256 of the secret it has, as it showed at the door or said since. */
  shown: string;
  /** Servers that lie on its node, as far as looked at. */
  readonly servers = new Set<string>();
  /** The generation the agent holds of each, as it said. */
  readonly #held = new Map<string, number>();
  readonly #busy = new Map<string, Wanted>();
  readonly #operations = new Set<string>();
  readonly #notes: Notes;
  /** Told what it held and was told what to hold: before that nothing else is asked of it. */
  reconciled = false;
  /** Said last that its engine runs. */
  able = false;

  constructor(
    socket: AgentSocket,
    node: { id: string; lease: number; installation: string; shown: string },
    notes: Notes,
  ) {
    this.socket = socket;
    this.node_id = node.id;
    this.lease = node.lease;
    this.installation = node.installation;
    this.shown = node.shown;
    this.#notes = notes;
  }

  /** What the agent said it holds. */
  holds(server_id: string, generation: number): void {
    this.#held.set(server_id, generation);
  }

  forget(server_id: string): void {
    this.servers.delete(server_id);
    this.#held.delete(server_id);
  }

  /** Says what is wanted of a server unless the agent holds it already; a newer wish waits for the answer to the one before. */
  async offer(wanted: Wanted): Promise<void> {
    const { server_id } = wanted;
    this.servers.add(server_id);
    if (!this.reconciled) return;
    const busy = this.#busy.has(server_id);
    this.#busy.set(server_id, wanted);
    if (busy) return;
    try {
      for (let told: Wanted | undefined; told !== this.#busy.get(server_id); ) {
        told = this.#busy.get(server_id)!;
        await this.#tell(told);
      }
    } catch (error) {
      if (this.socket.connected)
        this.#notes.trouble(error, 'An agent did not take what is wanted of a server');
    } finally {
      this.#busy.delete(server_id);
    }
  }

  async #tell({ server_id, lifecycle, spec }: Wanted): Promise<void> {
    const ask = this.socket.timeout(answer_ms);
    if (lifecycle === 'deprovisioning') {
      if (this.#held.get(server_id) === Number.POSITIVE_INFINITY) return;
      await ask.emitWithAck('spec.delete', { server_id });
      this.#held.set(server_id, Number.POSITIVE_INFINITY);
      return;
    }
    if ((this.#held.get(server_id) ?? -1) < spec.generation) {
      const { generation } = await ask.emitWithAck('spec.put', spec);
      this.#held.set(server_id, generation);
    }
    if (lifecycle === 'provisioning' && this.#held.get(server_id) === spec.generation)
      await this.#notes.specTaken(server_id);
  }

  /** Asks for an operation; its end comes as an event. Asking twice at once is asking once. */
  async run(operation: OperationRow): Promise<void> {
    if (!this.reconciled || this.#operations.has(operation.id)) return;
    this.#operations.add(operation.id);
    try {
      const message: Operation = {
        op_id: operation.id,
        server_id: operation.server_id,
        kind: operation.kind as Operation['kind'],
        args: operation.args,
        not_after: operation.not_after,
        lease: this.lease,
      };
      const answer = await this.socket.timeout(answer_ms).emitWithAck('operation.run', message);
      await this.#notes.operation(operation, answer);
    } catch (error) {
      if (this.socket.connected) this.#notes.trouble(error, 'An agent did not take an operation');
    } finally {
      this.#operations.delete(operation.id);
    }
  }

  /** Types into a console, once at most. */
  async command(server_id: string, text: string): Promise<CommandAnswer> {
    try {
      const message = { server_id, text, lease: this.lease };
      return await this.socket.timeout(command_ms).emitWithAck('console.write', message);
    } catch {
      return { delivered: false, why: 'no_answer' };
    }
  }

  /** The newest lines before `before`, oldest first; null when the agent does not say. */
  async tail(
    server_id: string,
    before: number | null,
    limit: number,
  ): Promise<{ epoch: string | null; lines: ConsoleLine[]; first: number } | null> {
    try {
      return await this.socket.timeout(tail_ms).emitWithAck('console.tail', { server_id, before, limit });
    } catch {
      return null;
    }
  }

  /** Everything a console that somebody begins to look at is shown first. */
  tailNow(server_id: string): ReturnType<AgentLink['tail']> {
    return this.tail(server_id, null, tail_lines);
  }

  /** Gives the agent a new secret; whether it said that it keeps it. */
  async takeSecret(secret: string): Promise<boolean> {
    const { promise: gone, resolve } = Promise.withResolvers<false>();
    this.socket.once('disconnect', () => resolve(false));
    const answer = this.socket.timeout(answer_ms).emitWithAck('secret.rotate', { secret });
    return await Promise.race([gone, answer.then(({ ok }) => ok === true).catch(() => false)]);
  }

  watch(server_ids: string[]): void {
    this.socket.emit('watch', { server_ids });
  }
}
