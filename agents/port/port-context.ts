import type { Logger } from 'pino';
import type { TransferAnswer, TransferQuestion, TransferRequest } from '#control/protocol/transfers.ts';
import type { FilesOwner } from '../files/server-files.ts';
import type { PortTransfers } from './port-transfers.ts';

/** What requests at the port need of the rest of the agent. */
export interface PortContext {
  log: Logger;
  transfers: PortTransfers;
  /** Asks the control plane once. Throws `PortRefusal`: with what it refuses, or that it is away. */
  ask<R extends TransferRequest>(request: R, question: TransferQuestion<R>): Promise<TransferAnswer<R>>;
  /** Of the site; null before it is known. */
  siteOrigin(): string | null;
  /** A server of this node. Throws `server_not_found`. */
  server(id: string): FilesOwner;
}
