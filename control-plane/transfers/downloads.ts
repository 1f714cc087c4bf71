import type { IncomingMessage, ServerResponse } from 'node:http';
import { backupAtPlatform } from '#db/hosting/servers/backups/download.ts';
import type { Redeemed } from '#db/hosting/servers/tickets.ts';
import type { PlaneContext } from '../context.ts';
import type { AgentRequest } from '../planes/addresses.ts';
import { sendJson } from './answer.ts';
import { downloadHeaders } from './download-headers.ts';
import { meetAgent } from './meet-agent.ts';
import type { OpenTransfer, OpenTransfers } from './open-transfers.ts';
import { admitDownload, backupFile, beginBackup, type DownloadPlan, planDownload } from './plan-download.ts';
import { sendStoredBackup } from './stored-download.ts';

/** A backup at another place may have to be put together first ("preparing download"). */
const backup_start_ms = 15 * 60_000;

/** What is sent to the client, and the agent that brings its bytes. */
type Found = Omit<DownloadPlan, 'send'> & { agent: AgentRequest };

/**
 * Gives the holder of a ticket the files of a server: the agent sends them to an address that works once, and two streams are
 * piped together. Nothing is stored on the way. Source: hosting §1e.
 */
export class Downloads {
  readonly #context: PlaneContext;
  readonly #open: OpenTransfers;

  constructor(context: PlaneContext, open: OpenTransfers) {
    [this.#context, this.#open] = [context, open];
  }

  /** Answers `GET /transfers?ticket=`. Refuses as `admitDownload` and the agent. */
  async send(req: IncomingMessage, res: ServerResponse, query: URLSearchParams): Promise<void> {
    const { sql, now } = this.#context;
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    // one that has not begun still hears why
    const end = () => (res.headersSent ? void res.destroy() : gone.abort());
    let transfer: OpenTransfer | undefined;
    try {
      const admitted = await admitDownload(this.#context, this.#open, {
        secret: query.get('ticket') ?? '',
        end,
      });
      transfer = admitted.transfer;
      const { kind, server_id, args } = admitted.ticket;
      const ofBackup = kind === 'backup' || kind === 'export';
      if (ofBackup) {
        const of = { server_id, backup_id: String(args.backup_id) };
        const stored = await backupAtPlatform(sql, of, now());
        if (stored) return await sendStoredBackup(this.#context, stored, req.headers, res);
      }
      const find = ofBackup ? this.#backup : this.#files;
      const found = await find.call(this, admitted.ticket, gone.signal, req.headers.range);
      await deliver(found, res, query.has('inline'));
    } finally {
      if (transfer) this.#open.delete(transfer);
    }
  }

  async #files(ticket: Redeemed, signal: AbortSignal, range: string | undefined): Promise<Found> {
    const server = { id: ticket.server_id, node_id: ticket.node_id! };
    const { send, headers, ...plan } = await planDownload(this.#context, ticket, range);
    const args = (put: string) => ({ ...send, put });
    const { agent } = await meetAgent(this.#context, server, { query: 'send', args, signal });
    const etag = etagOf(agent);
    return { ...plan, headers: { ...headers, ...(etag ? { etag: `"${etag}"` } : {}) }, agent };
  }

  async #backup(ticket: Redeemed, signal: AbortSignal): Promise<Found> {
    const address = await this.#context.addresses.open(ticket.server_id, 'to', backup_start_ms);
    const onAbort = () => address.close();
    signal.addEventListener('abort', onAbort);
    let stop = () => {};
    try {
      const begun = await beginBackup(this.#context, ticket, address.address);
      stop = begun.stop;
      const agent = await Promise.race([address.arrived, begun.failed]);
      return { status: 200, ...backupFile(begun.name), bytes: null, headers: {}, agent };
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
      address.close();
    }
  }
}

/** The etag of exactly the bytes that the agent sends, when it says. */
const etagOf = ({ req }: AgentRequest): string | undefined =>
  /^[\w-]{1,100}$/.exec(String(req.headers['x-file-etag'] ?? ''))?.[0];

/** Pipes what the agent sends to the client. What is cut off, or not as long as it says, does not look complete. */
async function deliver(found: Found, res: ServerResponse, inline: boolean): Promise<void> {
  const { agent, status, headers, name, type } = found;
  if (res.destroyed || agent.req.destroyed) {
    res.destroy();
    agent.res.destroy();
    return;
  }
  const said = Number(agent.req.headers['content-length'] ?? Number.NaN);
  const bytes = Number.isSafeInteger(said) ? said : found.bytes;
  res.writeHead(status, {
    ...downloadHeaders({ name, type, inline }),
    ...headers,
    ...(bytes === null ? {} : { 'content-length': bytes }),
  });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let sent = 0;
  agent.req.on('data', (chunk: Buffer) => {
    sent += chunk.length;
    // more than it said would be the beginning of the next answer
    if (bytes !== null && sent > bytes) resolve(false);
    else if (!res.write(chunk)) agent.req.pause();
  });
  res.on('drain', () => agent.req.resume());
  agent.req.once('end', () => resolve(bytes === null || sent === bytes));
  agent.req.once('close', () => resolve(false));
  agent.req.once('error', () => resolve(false));
  res.once('close', () => resolve(false));
  if (await promise) {
    res.end();
    sendJson(agent.res, 200);
  } else {
    res.destroy();
    agent.res.destroy();
  }
}
