import type { Logger } from 'pino';
import type { ServerSpec } from '#control/protocol/agent.ts';
import type { Disks } from './disk/disks.ts';
import type { Engine } from './engine.ts';
import type { Identity, Journal } from './journal/journal.ts';
import type { ImageWanted, Kind } from './kinds.ts';

/** What everything in an agent works with. */
export interface Workshop {
  engine: Engine;
  journal: Journal;
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
  imageOf(wanted: ImageWanted): Promise<string>;
  /** Prepares the network of servers: before each start. */
  prepareNetwork(): Promise<void>;
  /** What servers' files lie in. */
  disks: Disks;
  consoleAdded(server_id: string): void;
  eventAdded(): void;
  /** Megabytes a server's folder takes: counted now, or what was counted not long ago. */
  usedMb(server_id: string, when?: 'now'): Promise<number>;
}
