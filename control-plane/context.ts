import type { EventEmitter } from 'node:events';
import type { Server } from 'socket.io';
import type { AppContext } from '#db/context.ts';
import type { AgentConnection } from './agents/connection.ts';

/** What the parts of one control plane share. Nothing in it is the truth of anything. */
export interface PlaneContext extends Pick<AppContext, 'settings' | 'sql' | 'lastUsed' | 'log' | 'now'> {
  /** Of this process; it holds agents' leases under it. */
  id: string;
  /** The label of everything this installation runs. */
  installation: string;
  io: Server;
  /** Agents connected here, by node. */
  agents: Map<string, AgentConnection>;
  /** Emits the id of a node whose agent connected and has its specifications. */
  agentConnected: EventEmitter;
  /** Emits the id of an operation that ended, on whatever control plane its agent is. */
  operationEnded: EventEmitter;
  /** Whether changes in the database arrive: what was read stays true until one does. */
  isListening(): boolean;
}
