import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Refused } from '#db/errors.ts';
import { randomText } from '#db/id.ts';
import { refusalOf } from '#db/refusal-of.ts';
import { ask, operationById } from '#db/servers/operations.ts';
import { useTicket } from '#db/servers/tickets.ts';
import type { Hub } from './hub.ts';

/** An agent that has not begun to send by then will not. */
const patience_ms = 60_000;
/** At most so many archives on their way through this process, and of one account. */
const most = 20;
const most_per_user = 2;

interface Waiting {
  op_id: string;
  user_id: string;
  name: string;
  res: ServerResponse;
  timer: NodeJS.Timeout;
}

/**
 * Joins two streams: who shows a ticket gets everything of a server as one `tar.zst`, which its agent sends here by an
 * address it is told once. Nothing is kept on the way. `GET /parcels?ticket=`, `PUT /parcels?to=`: logs hold no queries.
 * Source: hosting §1e.
 */
export class Parcels {
  readonly #hub: () => Hub;
  readonly #waiting = new Map<string, Waiting>();
  /** Accounts of the archives that stream now, one entry each. */
  readonly #moving: string[] = [];

  constructor(hub: () => Hub) {
    this.#hub = hub;
  }

  /** Takes the request when it is one of these. */
  async take(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname !== '/parcels') return false;
    try {
      if (req.method === 'GET') await this.#fetch(searchParams.get('ticket') ?? '', res);
      else if (req.method === 'PUT') await this.#bring(searchParams.get('to') ?? '', req, res);
      else say(res, 405, 'not_found', 'Only GET and PUT are known here.');
    } catch (error) {
      const refused = refusalOf(error);
      if (!refused) this.#hub().log.error({ err: error }, 'An archive could not be passed on');
      say(res, refused?.status ?? 500, refused?.code ?? 'internal_error', refused?.message ?? 'Try again.');
    }
    return true;
  }

  async #fetch(ticket: string, res: ServerResponse): Promise<void> {
    const { record } = this.#hub();
    if (this.#waiting.size + this.#moving.length >= most) {
      say(res, 503, 'busy', 'Too many archives are being fetched. Try again in a while.');
      return;
    }
    const op_id = randomUUID();
    const address = randomText(40);
    const now = record.now();
    const begun = record.sql.begin(async (tx) => {
      const found = await useTicket(tx, ticket, now);
      // the transaction is rolled back, so the ticket is still good
      if (this.#countOf(found.user_id) >= most_per_user) throw new Refused('connections_too_many');
      const operation = {
        id: op_id,
        server_id: found.server_id,
        node_id: found.node_id,
        actor_id: found.user_id,
      };
      const not_after = new Date(now.getTime() + patience_ms);
      await ask(
        tx,
        { ...operation, kind: 'archive', args: { put: `/parcels?to=${address}` }, not_after },
        now,
      );
      // before the commit, since the agent may bring the archive before we hear of that
      const timer = setTimeout(() => this.#giveUp(address), patience_ms).unref();
      this.#waiting.set(address, { op_id, user_id: found.user_id, name: found.name, res, timer });
      return found;
    });
    begun.catch(() => this.#forget(address));
    const { server_id, node_id, user_id } = await begun;
    this.#hub().log.info({ server_id, node_id, user_id, op_id }, 'A server is fetched as one archive');
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

  #giveUp(address: string): void {
    const waiting = this.#forget(address);
    if (waiting) say(waiting.res, 503, 'server_unreachable', 'The machine of this server does not answer.');
  }

  /** An operation ended: who waits for its archive waits no longer. */
  async ended(op_id: string): Promise<void> {
    for (const [address, waiting] of this.#waiting)
      if (waiting.op_id === op_id && (await operationById(this.#hub().record.sql, op_id))?.state !== 'done')
        this.#giveUp(address);
  }

  async #bring(address: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const waiting = this.#forget(address);
    if (!waiting) {
      say(res, 404, 'ticket_invalid', 'Nobody waits for this archive any more.');
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
      // an archive that breaks off must not look whole: the connection breaks off too
      await pipeline(req, waiting.res);
      say(res, 200);
    } catch {
      res.destroy();
    } finally {
      this.#moving.splice(this.#moving.indexOf(waiting.user_id), 1);
    }
  }

  close(): void {
    for (const address of [...this.#waiting.keys()]) this.#giveUp(address);
  }
}

function say(res: ServerResponse, status: number, error?: string, description?: string): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(error ? { error, description } : {}));
}
