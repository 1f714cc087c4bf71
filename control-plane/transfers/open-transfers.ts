import { whyNotReadFiles } from '#db/hosting/servers/rules.ts';
import { serverOfTicket } from '#db/hosting/servers/tickets.ts';
import { Refused } from '#db/platform/errors.ts';
import type { PlaneContext } from '../context.ts';

/** A transfer of a user that goes on at this plane. */
export interface OpenTransfer {
  server_id: string;
  user_id: string;
  /** Of the session or token that it goes on under; null when it does not end with one, only with the right. */
  token_hash: string | null;
  kind: 'download' | 'archive' | 'upload';
  /** What the ticket gives; an upload has an address instead. */
  ticket: Parameters<typeof serverOfTicket>[1]['kind'];
  /** Cuts it off; `closing`: only because this plane ends. */
  end(why?: 'closing'): void;
}

/** Transfers at this plane at the same time: all of them, and of one user. */
const max_transfers = 200;
const max_per_user = { archive: 2, download: 10, upload: 10 } as const;

/** The transfers that go on at this plane: their number is bounded, and they end with the right to them. */
export class OpenTransfers {
  readonly #context: Pick<PlaneContext, 'sql' | 'now'>;
  readonly #open = new Set<OpenTransfer>();

  constructor(context: Pick<PlaneContext, 'sql' | 'now'>) {
    this.#context = context;
  }

  /** Counts one more; it has to be deleted again. Refuses `busy` and `connections_too_many`. */
  add(transfer: OpenTransfer): void {
    if (this.#open.size >= max_transfers) throw new Refused('busy');
    const { user_id, kind } = transfer;
    const of_user = [...this.#open].filter((one) => one.user_id === user_id && one.kind === kind);
    if (of_user.length >= max_per_user[kind]) throw new Refused('connections_too_many');
    this.#open.add(transfer);
  }

  get count(): number {
    return this.#open.size;
  }

  delete(transfer: OpenTransfer): void {
    this.#open.delete(transfer);
  }

  /** Ends those of users who have no right to them any more; `server_ids` are those of servers that changed. */
  async revalidateAccess(server_ids?: readonly string[]): Promise<void> {
    const { sql, now } = this.#context;
    for (const transfer of [...this.#open]) {
      const { token_hash, server_id, ticket: kind } = transfer;
      if (server_ids?.includes(server_id) === false) continue;
      try {
        const { facts } = await serverOfTicket(sql, { ...transfer, kind }, now());
        // a node that is silent for a moment may still be sending
        if (token_hash !== null && whyNotReadFiles(facts) === 'server_suspended') transfer.end();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        transfer.end();
      }
    }
  }

  close(): void {
    for (const transfer of [...this.#open]) transfer.end('closing');
  }
}
