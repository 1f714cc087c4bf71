import type { Logger } from 'pino';
import type { ServerSpec } from '#control/protocol/agent.ts';
import type { Disks } from './disk/disks.ts';
import type { DockerConnection } from './docker/client.ts';
import type { ImageSource, Kind } from './server/kinds.ts';
import type { Identity, StateStore } from './state/store.ts';

/** What everything in an agent works with. */
export interface AgentContext {
  docker: DockerConnection;
  store: StateStore;
  log: Logger;
  /** Milliseconds since 1970 on this machine. */
  now(): number;
  /** The agent's folder. */
  data: string;
  /** Where the control plane answers. */
  url: string;
  /** Who this node is. Asked only after the plane said so once. */
  identity(): Identity;
  kindOf(spec: Pick<ServerSpec, 'kind'>): Kind | null;
  /** The name under which the engine has an image, made or fetched first when it is missing. */
  ensureImage(wanted: ImageSource): Promise<string>;
  /** Prepares the network of servers: before each start. */
  prepareNetwork(): Promise<void>;
  /** What servers' files lie in. */
  disks: Disks;
  onConsoleLines(server_id: string): void;
  onEventRecorded(): void;
  /** Megabytes a server's folder takes: counted now, or what was counted not long ago. */
  usedMb(server_id: string, when?: 'now'): Promise<number>;
}
