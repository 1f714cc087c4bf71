import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Refused } from '#db/errors.ts';
import { randomText } from '#db/id.ts';
import { createOperation, operationById } from '#db/servers/operations.ts';
import { redeemTicket } from '#db/servers/tickets.ts';
import { toRefused } from '#db/to-refused.ts';
import type { PlaneContext } from './context.ts';

/** An agent that has not begun to send the archive by then will not. */
const timeout_ms = 60_000;
/** Archives in transfer through this process, and of one account. */
const max_transfers = 20;
const max_per_user = 2;

interface Waiting {
  op_id: string;
  user_id: string;
  name: string;
  res: ServerResponse;
  timer: NodeJS.Timeout;
}

/**
 * Pipes an upload into a download: the holder of a ticket gets all files of a server as one `tar.zst`, which the agent
 * uploads to an address that works once. Nothing is stored on the way. `GET /transfers?ticket=`, `PUT /transfers?to=`: logs
 * hold no queries. Source: hosting §1e.
 */
export class ArchiveTransfers {
  readonly #context: Pick<PlaneContext, 'sql' | 'log' | 'now'>;
  readonly #waiting = new Map<string, Waiting>();
  /** Accounts of the archives that stream now, one entry each. */
  readonly #moving: string[] = [];

  constructor(context: Pick<PlaneContext, 'sql' | 'log' | 'now'>) {
    this.#context = context;
  }

  /** Handles the request when it is one of these; gives whether it did. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname !== '/transfers') return false;
    try {
      if (req.method === 'GET') await this.#startDownload(searchParams.get('ticket') ?? '', res);
      else if (req.method === 'PUT') await this.#receiveUpload(searchParams.get('to') ?? '', req, res);
      else sendJson(res, 405, 'not_found', 'Archives are read with GET and sent with PUT.');
    } catch (error) {
      const refused = toRefused(error);
      if (!refused) this.#context.log.error({ err: error }, 'Archive transfer failed');
      sendJson(
        res,
        refused?.status ?? 500,
        refused?.code ?? 'internal_error',
        refused?.message ?? 'Try again.',
      );
    }
    return true;
  }

  async #startDownload(ticket: string, res: ServerResponse): Promise<void> {
    const { sql, now: clock, log } = this.#context;
    if (this.#waiting.size + this.#moving.length >= max_transfers) {
      sendJson(res, 503, 'busy', 'Too many downloads are in progress. Try again later.');
      return;
    }
    const op_id = randomUUID();
    const address = randomText(40);
    const now = clock();
    const begun = sql.begin(async (tx) => {
      const found = await redeemTicket(tx, ticket, now);
      // the transaction is rolled back, so the ticket is still good
      if (this.#countOf(found.user_id) >= max_per_user) throw new Refused('connections_too_many');
      const operation = {
        id: op_id,
        server_id: found.server_id,
        node_id: found.node_id,
        actor_id: found.user_id,
      };
      const not_after = new Date(now.getTime() + timeout_ms);
      await createOperation(
        tx,
        { ...operation, kind: 'archive', args: { put: `/transfers?to=${address}` }, not_after },
        now,
      );
      // before the commit: the agent may upload before that returns
      const timer = setTimeout(() => this.#expire(address), timeout_ms).unref();
      this.#waiting.set(address, { op_id, user_id: found.user_id, name: found.name, res, timer });
      return found;
    });
    begun.catch(() => this.#forget(address));
    const { server_id, node_id, user_id } = await begun;
    log.info({ server_id, node_id, user_id, op_id }, 'Archive of a server requested');
    res.once('close', () => this.#forget(address));
  }

  /** Archives of one account that wait or stream here. */
  #countOf(user_id: string): number {
    const waiting = [...this.#waiting.values()].filter((one) => one.user_id === user_id);
    return waiting.length + this.#moving.filter((one) => one === user_id).length;
  }

  #forget(address: string): Waiting | undefined {
    const waiting = this.#waiting.get(address);
    if (waiting) clearTimeout(waiting.timer);
    this.#waiting.delete(address);
    return waiting;
  }

  #expire(address: string): void {
    const waiting = this.#forget(address);
    if (waiting)
      sendJson(waiting.res, 503, 'server_unreachable', 'We can’t reach the machine this server runs on.');
  }

  /** An operation ended: a download that waits for its archive ends too. */
  async onOperationEnded(op_id: string): Promise<void> {
    for (const [address, waiting] of this.#waiting)
      if (waiting.op_id === op_id && (await operationById(this.#context.sql, op_id))?.state !== 'done')
        this.#expire(address);
  }

  async #receiveUpload(address: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const waiting = this.#forget(address);
    if (!waiting) {
      sendJson(res, 404, 'ticket_invalid', 'No download waits for this archive.');
      return;
    }
    const file = encodeURIComponent(`${waiting.name}.tar.zst`).replaceAll("'", '%27');
    waiting.res.writeHead(200, {
      'content-type': 'application/zstd',
      'content-disposition': `attachment; filename="server.tar.zst"; filename*=UTF-8''${file}`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    this.#moving.push(waiting.user_id);
    try {
      // an archive that is cut off must not look complete: the download is cut off too
      await pipeline(req, waiting.res);
      sendJson(res, 200);
    } catch {
      res.destroy();
    } finally {
      this.#moving.splice(this.#moving.indexOf(waiting.user_id), 1);
    }
  }

  close(): void {
    for (const address of [...this.#waiting.keys()]) this.#expire(address);
  }
}

function sendJson(res: ServerResponse, status: number, error?: string, description?: string): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(error ? { error, description } : {}));
}
