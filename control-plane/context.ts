import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'socket.io';
import type { AppContext } from '#db/context.ts';
import type { ActivityRecorder } from './activity/activity-recorder.ts';
import type { AgentConnection } from './agent-links/connection.ts';
import type { AgentAddresses } from './planes/addresses.ts';
import type { Membership } from './planes/membership.ts';
import type { RemoteAgents } from './planes/remote-agents.ts';

/** What the parts of one control plane share. Nothing in it is the truth of anything. */
export interface PlaneContext
  extends Pick<AppContext, 'settings' | 'sql' | 'storage' | 'sealer' | 'lastUsed' | 'log' | 'now'> {
  /** Of this process; it holds agents' leases under it. */
  id: string;
  /** The label of everything this installation runs. */
  installation: string;
  io: Server;
  /** That this plane counts as alive, and the other planes. */
  membership: Membership;
  /**
   * Lets another plane answer an HTTP request, once: `planes/forward.ts`. Throws `plane_away` and `plane_loop` with nothing
   * sent yet.
   */
  forwardHttp(plane_id: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Agents connected here, by node. */
  agents: Map<string, AgentConnection>;
  /** Agents that are connected to other planes. */
  remoteAgents: RemoteAgents;
  /** Where agents send bytes to and fetch them from. */
  addresses: AgentAddresses;
  /** Emits the id of a node whose agent may be elsewhere than before: it connected, or its lease moved. */
  nodeChanged: EventEmitter;
  /** Emits the id of an operation that ended, on whatever control plane its agent is. */
  operationEnded: EventEmitter;
  /** Emits `change` with what changed in the database, as `onChange` is told it; `everything` when some may have been missed. */
  changes: EventEmitter;
  /** Records what people do with consoles and files. */
  activity: Pick<ActivityRecorder, 'command' | 'files'>;
  /** Whether changes in the database arrive: what was read stays true until one does. */
  isListening(): boolean;
}
