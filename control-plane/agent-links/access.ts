import type { ConsoleLine, KnownCommand, ServerStats } from '../protocol/console.ts';
import type { FileQuery, QueryAnswer } from '../protocol/files.ts';

/** What became of a command for a console. */
export type CommandAnswer =
  | { delivered: true }
  | { delivered: false; why: 'not_running' | 'stale' | 'failed' | 'no_answer' };

/** Lines of a console as its agent keeps them. */
interface ConsoleTail {
  epoch: string | null;
  /** Oldest first. */
  lines: ConsoleLine[];
  /** Number of the oldest line that the agent still has. */
  first: number;
}

/**
 * What panels ask of the agent of a node, the same whether it is connected here (`AgentConnection`) or to another plane
 * (`RemoteAgent`). Source: hosting §5.2.
 */
export interface AgentAccess {
  /** The newest lines before `before`; null when the agent does not answer. */
  tail(server_id: string, before: number | null, limit: number): Promise<ConsoleTail | null>;
  /** Writes a command to a console, at most once. */
  writeCommand(server_id: string, text: string): Promise<CommandAnswer>;
  /** The commands that a server's process knows; null when the agent does not answer. */
  knownCommands(server_id: string): Promise<{ epoch: string | null; commands: KnownCommand[] } | null>;
  /** Stats of the last minute, oldest first, of each of these servers that has some. */
  stats(server_ids: string[]): Promise<Record<string, ServerStats[]>>;
  /** Asks about files; null when the agent does not answer in `timeout_ms`. Refuses `agent_outdated`. */
  queryFiles(
    server_id: string,
    question: { query: FileQuery; args: object },
    timeout_ms: number,
  ): Promise<QueryAnswer | null>;
}
