import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused } from '#db/errors.ts';
import { backupAtPlatform, sendBackup } from '#db/servers/backups/download.ts';
import { operationById } from '#db/servers/operations.ts';
import { type Redeemed, redeemTicket } from '#db/servers/tickets.ts';
import { askFiles, refusalOfAgent, type ServerOnNode } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import type { AgentRequest } from './addresses.ts';
import { sendJson } from './answer.ts';
import { downloadHeaders, requestedRange } from './download-headers.ts';
import { meetAgent } from './meet-agent.ts';
import type { OpenTransfer, OpenTransfers } from './open-transfers.ts';
import { sendStoredBackup } from './stored-download.ts';

/** A backup at another place may have to be put together first ("preparing download"). */
const backup_start_ms = 15 * 60_000;
/** An agent that has not accepted the operation by then is away. */
const accept_ms = 60_000;

/** What is sent to the client besides the bytes. */
interface Found {
  status: 200 | 206;
  name: string;
  type: string;
  /** Bytes that follow, as far as is known before the agent sends. */
  bytes: number | null;
  headers: Record<string, string>;
  agent: AgentRequest;
}

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

  /** Answers `GET /transfers?ticket=`. Refuses as `redeemTicket`, `OpenTransfers.add` and the agent. */
  async send(req: IncomingMessage, res: ServerResponse, query: URLSearchParams): Promise<void> {
    const { sql, now, log } = this.#context;
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    let transfer: OpenTransfer | undefined;
    try {
      const ticket = await sql.begin(async (tx) => {
        const redeemed = await redeemTicket(tx, query.get('ticket') ?? '', now());
        const { server_id, user_id, token_hash } = redeemed;
        const kind = redeemed.kind === 'file' ? 'download' : 'archive';
        // one that has not begun still hears why
        const end = () => (res.headersSent ? void res.destroy() : gone.abort());
        const opened = { server_id, user_id, token_hash, kind, ticket: redeemed.kind, end } as const;
        // refused here, the transaction is rolled back: the ticket is still good
        this.#open.add(opened);
        transfer = opened;
        return redeemed;
      });
      const { server_id, node_id, user_id, kind } = ticket;
      log.info({ server_id, node_id, user_id, kind }, 'Download from a server requested');
      if (kind === 'backup') {
        const stored = await backupAtPlatform(sql, { server_id, backup_id: String(ticket.args.backup_id) });
        if (stored) return await sendStoredBackup(this.#context, stored, res);
      }
      const found = await this.#ask(ticket, req.headers.range, gone.signal);
      await deliver(found, res, query.has('inline'));
    } finally {
      if (transfer) this.#open.delete(transfer);
    }
  }

  #ask(ticket: Redeemed, range: string | undefined, signal: AbortSignal): Promise<Found> {
    const server = { id: ticket.server_id, node_id: ticket.node_id };
    if (ticket.kind === 'file') return this.#file(ticket, server, range, signal);
    return ticket.kind === 'backup' ? this.#backup(ticket, signal) : this.#archive(ticket, server, signal);
  }

  async #file(
    { args }: Redeemed,
    server: ServerOnNode,
    wanted: string | undefined,
    signal: AbortSignal,
  ): Promise<Found> {
    const [path = ''] = args.paths as string[];
    // before its bytes: a file that changes in between has another etag when it is saved
    const { entries } = await askFiles(this.#context, server, 'stat', { paths: [path] });
    const entry = entries[0];
    if (!entry) throw new Refused('file_not_found', { path });
    const range = requestedRange(wanted, entry.bytes);
    const { agent } = await meetAgent(this.#context, server, {
      query: 'send',
      args: (put) => ({ paths: [path], as: 'file', put, ...range }),
      signal,
    });
    const part = range && `bytes ${range.offset}-${range.offset + range.length - 1}/${entry.bytes}`;
    return {
      status: range ? 206 : 200,
      name: entry.name,
      type: 'application/octet-stream',
      bytes: range ? range.length : entry.bytes,
      headers: {
        etag: `"${etagOf(agent) ?? entry.etag}"`,
        'accept-ranges': 'bytes',
        ...(part ? { 'content-range': part } : {}),
      },
      agent,
    };
  }

  async #archive({ args, name, kind }: Redeemed, server: ServerOnNode, signal: AbortSignal): Promise<Found> {
    const { paths, as } =
      kind === 'archive'
        ? { paths: [''], as: 'tar.zst' as const }
        : (args as { paths: string[]; as: 'zip' | 'tar.zst' });
    const { agent } = await meetAgent(this.#context, server, {
      query: 'send',
      args: (put) => ({ paths, as, put }),
      signal,
    });
    const only = paths.length === 1 ? paths[0]!.split('/').at(-1) : '';
    const type = as === 'zip' ? 'application/zip' : 'application/zstd';
    return { status: 200, name: `${only || name}.${as}`, type, bytes: null, headers: {}, agent };
  }

  /** A backup is sent by an operation, which may take long to begin. */
  async #backup({ server_id, user_id, args }: Redeemed, signal: AbortSignal): Promise<Found> {
    const { sql, now, addresses, operationEnded } = this.#context;
    const address = await addresses.open(server_id, 'to', backup_start_ms);
    const onAbort = () => address.close();
    signal.addEventListener('abort', onAbort);
    const [op_id, waiting] = [randomUUID(), new AbortController()];
    try {
      const ended = once(operationEnded, op_id, { signal: waiting.signal }).then(async () => {
        const result = (await operationById(sql, op_id))?.result as { error?: unknown } | null;
        throw result?.error ? refusalOfAgent(result.error, result) : new Refused('server_unreachable');
      });
      ended.catch(() => {});
      const sent = { op_id, put: address.address, not_after: new Date(now().getTime() + accept_ms) };
      const backup = { server_id, user_id, backup_id: String(args.backup_id) };
      const name = await sql.begin((tx) => sendBackup(tx, backup, sent, now()));
      const agent = await Promise.race([address.arrived, ended]);
      return {
        ...{ status: 200, name: `${name}.tar.zst`, type: 'application/zstd' },
        ...{ bytes: null, headers: {}, agent },
      };
    } finally {
      waiting.abort();
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
