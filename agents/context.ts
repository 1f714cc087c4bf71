import type { ServerSpec } from '#control/protocol/agent.ts';
import type { LoopDelay } from '#db/platform/runtime/event-loop.ts';
import type { Backups } from './backups/backups.ts';
import type { DockerConnection } from './docker/client.ts';
import type { FilesContext } from './files/files-context.ts';
import type { AgentIntervals } from './intervals.ts';
import type { ImageSource, Kind } from './plan/kinds.ts';
import type { PortTransfers } from './port/port-transfers.ts';
import type { Sleepers } from './sleep/sleepers.ts';
import type { Identity, StateStore } from './state/store.ts';

/** What all parts of an agent share. */
export interface AgentContext extends FilesContext {
  docker: DockerConnection;
  store: StateStore;
  intervals: AgentIntervals;
  /** Identity of this node. Throws before the first welcome of the control plane. */
  identity(): Identity;
  kindOf(spec: Pick<ServerSpec, 'kind'>): Kind | null;
  /** Gives the reference of an image that Docker has; builds or pulls it first when it is missing. */
  ensureImage(wanted: ImageSource): Promise<string>;
  /** Prepares the network of servers: before each start. */
  prepareNetwork(): Promise<void>;
  /** Whether rules keep servers from private networks; null before anything was tried. */
  hasFirewall(): boolean | null;
  /** The delay of the event loop of this agent since the last call. */
  takeLoopDelay(): Promise<LoopDelay>;
  backups: Backups;
  /** Transfers at the port of this agent, where it has one. */
  transfers: PortTransfers;
  /** The origin of that port, as browsers reach it; null without one. */
  transferUrl(): string | null;
  /** What listens in the place of sleeping servers. */
  sleepers: Sleepers;
  onConsoleLines(server_id: string): void;
  onEventRecorded(): void;
}
