import type { Logger } from 'pino';
import type { publicRequester } from '#db/platform/runtime/public-request.ts';
import type { Disks } from '../disk/disks.ts';

/** What work on files uses of the context of an agent. */
export interface FilesContext {
  log: Logger;
  /** Milliseconds since 1970 on this machine. */
  now(): number;
  /** The folder of the agent's data. */
  data: string;
  /** Address of the control plane that this agent is connected to, or tries next. */
  url(): string;
  /** The disks that hold the servers' files. */
  disks: Disks;
  /** An operation is at `done` of `total` bytes or files. Tells the control plane now and then. */
  onProgress(server_id: string, op_id: string, done: number, total: number | null): void;
  /** Sends a request to a public address that a user gave. */
  fetchPublic: ReturnType<typeof publicRequester>;
  /** Megabytes that a server's files use: counted now, or a recent count. */
  usedMb(server_id: string, when?: 'now'): Promise<number>;
}
