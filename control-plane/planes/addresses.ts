import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import {
  createTransferAddress,
  deleteTransferAddress,
  planeOfTransfer,
  redeemTransferAddress,
  type TransferDirection,
} from '#db/hosting/servers/transfer-addresses.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';

/** How long an agent may take until it uses an address: it may have to count a folder first. */
const start_ms = 60_000;

/** The request of an agent at an address; whoever opened the address answers it. */
export interface AgentRequest {
  req: IncomingMessage;
  res: ServerResponse;
}

export interface OpenAddress {
  /** What the agent is given: path and query. */
  address: string;
  /** The agent's request. Rejects with `server_unreachable` when there is none in time, and after `close`. */
  arrived: Promise<AgentRequest>;
  hasArrived(): boolean;
  /** Nothing waits here any more. */
  close(): void;
}

interface Options {
  sql: Pool;
  log: Logger;
  now(): Date;
  /** Of this plane. */
  id: string;
  forwardHttp(plane_id: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
}

interface Waiting {
  arrive(request: AgentRequest): void;
  close(): void;
}

/**
 * Addresses that agents send bytes to (`PUT /transfers?to=`) or fetch them from (`GET /transfers?from=`), each once. The other
 * end of the stream waits at this plane; an agent may come to any plane, which forwards it here. Source: hosting §1e
 * (rendezvous).
 */
export class AgentAddresses {
  readonly #options: Options;
  /** By the hash of the secret. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens an address. `to`: the agent sends, `from`: it fetches. */
  async open(
    server_id: string,
    direction: TransferDirection,
    timeout_ms: number = start_ms,
  ): Promise<OpenAddress> {
    const { sql, now, id } = this.#options;
    const expires = new Date(now().getTime() + timeout_ms);
    const secret = await createTransferAddress(sql, { server_id, plane_id: id, direction, expires });
    const hash = hashToken(secret);
    const { promise: arrived, resolve, reject } = Promise.withResolvers<AgentRequest>();
    arrived.catch(() => {});
    let has_arrived = false;
    const close = () => {
      clearTimeout(timer);
      if (!this.#waiting.delete(hash)) return;
      reject(new Refused('server_unreachable'));
      this.#delete(secret);
    };
    const timer = setTimeout(close, timeout_ms).unref();
    const arrive = (request: AgentRequest) => {
      clearTimeout(timer);
      this.#waiting.delete(hash);
      has_arrived = true;
      resolve(request);
    };
    this.#waiting.set(hash, { arrive, close });
    return { address: `/transfers?${direction}=${secret}`, arrived, hasArrived: () => has_arrived, close };
  }

  #delete(secret: string): void {
    deleteTransferAddress(this.#options.sql, secret).catch((err) =>
      this.#options.log.debug({ err }, 'An address of a transfer could not be removed; it expires'),
    );
  }

  /**
   * Hands an agent's request to what waits for it, here or at another plane. Refuses `ticket_invalid` when nothing does,
   * and `plane_away` when its plane is dead.
   */
  async handle(direction: TransferDirection, secret: string, request: AgentRequest): Promise<void> {
    const { sql, now, id, forwardHttp } = this.#options;
    const hash = hashToken(secret);
    const used = { secret, direction };
    if (!this.#waiting.has(hash)) {
      const plane_id = await planeOfTransfer(sql, used, now());
      if (plane_id === null || plane_id === id) throw new Refused('ticket_invalid');
      return await forwardHttp(plane_id, request.req, request.res);
    }
    const isFirst = await redeemTransferAddress(sql, used, now());
    const waiting = this.#waiting.get(hash);
    if (!isFirst || !waiting) throw new Refused('ticket_invalid');
    waiting.arrive(request);
  }

  /** Nothing more arrives. */
  close(): void {
    for (const waiting of [...this.#waiting.values()]) waiting.close();
  }
}
