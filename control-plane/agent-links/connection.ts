import type { Socket } from 'socket.io';
import type { OperationRow } from '#db/hosting/servers/operations/operations.ts';
import type { DesiredServer } from '#db/hosting/servers/read.ts';
import type { LoopDelay } from '#db/platform/runtime/event-loop.ts';
import type { FromAgent, Operation, OperationAnswer, ToAgent } from '../protocol/agent.ts';
import type { DiscardedBackup } from '../protocol/backups.ts';
import type { ServerStats } from '../protocol/console.ts';
import type { AgentAccess, CommandAnswer } from './access.ts';

export type AgentSocket = Socket<FromAgent, ToAgent>;

/** An agent that does not answer in this time gets the message again at the next sync. */
const ack_timeout_ms = 10_000;
const tail_timeout_ms = 5_000;
/** A game server has to answer first; panels wait 10 s. */
const known_commands_timeout_ms = 9_000;
/** A store of others may be slow. */
const discard_timeout_ms = 120_000;
/** Users wait for commands. */
const command_timeout_ms = 5_000;

/** What an agent's acknowledgements change in the database, and what its plane knows. */
export interface ConnectionEffects {
  /** Whether the plane still counts as alive: without that nothing is sent, because its leases may be others' by now. */
  isHeld(): boolean;
  /** Stats of the last minute of a server, oldest first. */
  statsOf(server_id: string): ServerStats[];
  specAcknowledged(server_id: string): Promise<void>;
  operationAnswered(operation: OperationRow, answer: OperationAnswer): Promise<void>;
  failed(error: unknown, what: string): void;
}

/** Most lines fetched from an agent at once. */
export const tail_lines = 1_000;

/** The agent of one node that is connected here: sends it the desired state until it acknowledges that it has stored it. */
export class AgentConnection implements AgentAccess {
  readonly socket: AgentSocket;
  readonly node_id: string;
  readonly lease: number;
  readonly installation: string;
  /** The version of the protocol that it speaks. */
  readonly protocol: number;
  /** SHA-256 of the secret it has, as presented at the handshake or acknowledged since. */
  secret_hash: string;
  /** Servers known to be on its node. */
  readonly servers = new Set<string>();
  /** The generation of each specification that the agent has. */
  readonly #generations = new Map<string, number>();
  /** The generation under which it was told to remove a server: what was read before is not sent any more, newer is. */
  readonly #removed = new Map<string, number>();
  readonly #pushing = new Map<string, DesiredServer>();
  readonly #operations = new Set<string>();
  /** Called when the connection is lost: no answer comes any more. */
  readonly #onLost = new Set<() => void>();
  readonly #effects: ConnectionEffects;
  /** It sent its inventory and got its specifications: before that nothing else is sent. */
  reconciled = false;
  /** Docker answered at its last heartbeat. */
  docker_up = false;
  /** The delay of its event loop, as of its last heartbeat. */
  loop_delay: LoopDelay | null = null;

  constructor(
    socket: AgentSocket,
    node: { id: string; lease: number; installation: string; protocol: number; secret_hash: string },
    effects: ConnectionEffects,
  ) {
    this.socket = socket;
    this.node_id = node.id;
    this.lease = node.lease;
    this.installation = node.installation;
    this.protocol = node.protocol;
    this.secret_hash = node.secret_hash;
    this.#effects = effects;
    socket.once('disconnect', () => {
      for (const lost of this.#onLost) lost();
    });
  }

  /** The agent has this generation of a specification. */
  setGeneration(server_id: string, generation: number): void {
    this.#generations.set(server_id, generation);
  }

  forget(server_id: string): void {
    this.servers.delete(server_id);
    this.#generations.delete(server_id);
    this.#removed.delete(server_id);
  }

  /** Sends a server's specification unless the agent has it; a newer one waits for the answer to the one before. */
  async pushSpec(desired: DesiredServer): Promise<void> {
    const { server_id } = desired;
    this.servers.add(server_id);
    if (!this.reconciled || !this.#effects.isHeld()) return;
    const is_pushing = this.#pushing.has(server_id);
    this.#pushing.set(server_id, desired);
    if (is_pushing) return;
    try {
      for (let sent: DesiredServer | undefined; sent !== this.#pushing.get(server_id); ) {
        sent = this.#pushing.get(server_id)!;
        await this.#send(sent);
      }
    } catch (error) {
      if (this.socket.connected) this.#effects.failed(error, 'Agent did not acknowledge a specification');
    } finally {
      this.#pushing.delete(server_id);
    }
  }

  async #send({ server_id, lifecycle, spec }: DesiredServer): Promise<void> {
    const agent = this.socket.timeout(ack_timeout_ms);
    const removed = this.#removed.get(server_id) ?? -1;
    if (removed >= spec.generation) return;
    if (lifecycle === 'deprovisioning') {
      await agent.emitWithAck('spec.delete', { server_id });
      this.#generations.delete(server_id);
      this.#removed.set(server_id, spec.generation);
      return;
    }
    if ((this.#generations.get(server_id) ?? -1) < spec.generation) {
      const { generation } = await agent.emitWithAck('spec.put', spec);
      this.#generations.set(server_id, generation);
    }
    if (lifecycle === 'provisioning' && this.#generations.get(server_id) === spec.generation)
      await this.#effects.specAcknowledged(server_id);
  }

  /** Sends an operation; its end comes as an event. Sending twice at once is sending once. */
  async sendOperation(operation: OperationRow): Promise<void> {
    if (!this.reconciled || this.#operations.has(operation.id) || !this.#effects.isHeld()) return;
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
      const answer = await this.socket.timeout(ack_timeout_ms).emitWithAck('operation.run', message);
      await this.#effects.operationAnswered(operation, answer);
    } catch (error) {
      if (this.socket.connected) this.#effects.failed(error, 'Agent did not acknowledge an operation');
    } finally {
      this.#operations.delete(operation.id);
    }
  }

  /** Writes a command to a console, at most once. */
  async writeCommand(server_id: string, text: string): Promise<CommandAnswer> {
    if (!this.#effects.isHeld()) return { delivered: false, why: 'stale' };
    try {
      const message = { server_id, text, lease: this.lease };
      return await this.socket.timeout(command_timeout_ms).emitWithAck('console.write', message);
    } catch {
      return { delivered: false, why: 'no_answer' };
    }
  }

  /** The newest lines before `before`, oldest first; null when the agent does not answer. */
  async tail(server_id: string, before: number | null, limit: number): ReturnType<AgentAccess['tail']> {
    try {
      return await this.socket
        .timeout(tail_timeout_ms)
        .emitWithAck('console.tail', { server_id, before, limit });
    } catch {
      return null;
    }
  }

  /** The commands that a server's process knows; null when the agent does not answer. */
  async knownCommands(server_id: string): ReturnType<AgentAccess['knownCommands']> {
    try {
      return await this.socket
        .timeout(known_commands_timeout_ms)
        .emitWithAck('console.commands', { server_id });
    } catch {
      return null;
    }
  }

  async stats(server_ids: string[]): ReturnType<AgentAccess['stats']> {
    const found = server_ids.map((id) => [id, this.#effects.statsOf(id)] as const);
    return Object.fromEntries(found.filter(([, stats]) => stats.length > 0));
  }

  async queryFiles(
    server_id: string,
    question: Parameters<AgentAccess['queryFiles']>[1],
    timeout_ms: number,
  ): ReturnType<AgentAccess['queryFiles']> {
    if (!this.#effects.isHeld() || !this.socket.connected) return null;
    const { promise: lost, resolve } = Promise.withResolvers<null>();
    const onLost = () => resolve(null);
    this.#onLost.add(onLost);
    try {
      const message = { server_id, lease: this.lease, ...question };
      return await Promise.race([lost, this.socket.timeout(timeout_ms).emitWithAck('files.query', message)]);
    } catch {
      return null;
    } finally {
      this.#onLost.delete(onLost);
    }
  }

  /** Lets the agent remove backups from its store; gives those that are gone. */
  async discardBackups(backups: DiscardedBackup[]): Promise<string[]> {
    const message = { lease: this.lease, backups };
    const answer = await this.socket.timeout(discard_timeout_ms).emitWithAck('backups.discard', message);
    const asked = new Set(backups.map(({ backup_id }) => backup_id));
    return answer.removed.filter((id) => asked.has(id));
  }

  /** Sends the agent a new secret. Gives whether it acknowledged that it stored it. */
  async rotateSecret(secret: string): Promise<boolean> {
    const { promise: disconnected, resolve } = Promise.withResolvers<false>();
    this.socket.once('disconnect', () => resolve(false));
    const answer = this.socket.timeout(ack_timeout_ms).emitWithAck('secret.rotate', { secret });
    return await Promise.race([disconnected, answer.then(({ ok }) => ok === true).catch(() => false)]);
  }

  /** Tells the agent whose lines and stats are watched. */
  watch(server_ids: string[]): void {
    this.socket.emit('watch', { server_ids });
  }
}
