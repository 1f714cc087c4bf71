import type { Logger } from 'pino';
import type { ServerSpec } from '#control/protocol/agent.ts';
import type { LoopDelay } from '#db/platform/runtime/event-loop.ts';
import type { publicRequester } from '#db/platform/runtime/public-request.ts';
import type { Backups } from './backups/backups.ts';
import type { Disks } from './disk/disks.ts';
import type { DockerConnection } from './docker/client.ts';
import type { AgentIntervals } from './intervals.ts';
import type { ImageSource, Kind } from './plan/kinds.ts';
import type { PortTransfers } from './port/port-transfers.ts';
import type { Sleepers } from './sleep/sleepers.ts';
import type { Identity, StateStore } from './state/store.ts';

/** What all parts of an agent share. */
export interface AgentContext {
  docker: DockerConnection;
  store: StateStore;
  log: Logger;
  /** Milliseconds since 1970 on this machine. */
  now(): number;
  intervals: AgentIntervals;
  /** The folder of the agent's data. */
  data: string;
  /** Address of the control plane that this agent is connected to, or tries next. */
  url(): string;
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
  /** The disks that hold the servers' files. */
  disks: Disks;
  backups: Backups;
  /** Transfers at the port of this agent, where it has one. */
  transfers: PortTransfers;
  /** The origin of that port, as browsers reach it; null without one. */
  transferUrl(): string | null;
  /** What listens in the place of sleeping servers. */
  sleepers: Sleepers;
  onConsoleLines(server_id: string): void;
  onEventRecorded(): void;
  /** An operation is at `done` of `total` bytes or files. Tells the control plane now and then. */
  onProgress(server_id: string, op_id: string, done: number, total: number | null): void;
  /** Sends a request to a public address that a user gave. */
  fetchPublic: ReturnType<typeof publicRequester>;
  /** Megabytes that a server's files use: counted now, or a recent count. */
  usedMb(server_id: string, when?: 'now'): Promise<number>;
}
