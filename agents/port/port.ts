import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tusMethods } from '#control/protocol/tus.ts';
import type { AgentSettings } from '../settings.ts';
import { admitOrigin } from './cors.ts';
import { download } from './download.ts';
import type { PortContext } from './port-context.ts';
import { hasBody, planeAway, sendRefusal } from './refusal.ts';
import { answerUpload } from './upload.ts';

/** Bounds of what anybody may open here, before there is a ticket. */
const max_head_bytes = 16 * 1024;
const max_connections = 500;
const max_questions = 100;
const head_ms = 10_000;
const keep_alive_ms = 5_000;
/** Until it is tried again when something else has the port, such as an agent that is about to end. */
const retry_ms = 5_000;

const uploads = /^\/transfers\/uploads\/(sfu_\w{40})$/;
const ticket = /^sft_\w{40}$/;

export interface TransferPort {
  /** Its origin, as browsers reach it; null while it is not open. */
  url(): string | null;
  close(): void;
}

/**
 * The port at which an agent gives and takes files itself: the addresses of transfers on the site work here, too. It knows no
 * tickets: the control plane is asked about each. Everything else is nothing. Source: hosting §1e.
 */
export function openPort(
  { host, port, url }: NonNullable<AgentSettings['transfer']>,
  context: PortContext,
): TransferPort {
  const { log } = context;
  let questions = 0;
  let retry: NodeJS.Timeout | undefined;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '' } = req;
    const { pathname, searchParams } = targetOf(req.url);
    const secret = uploads.exec(pathname)?.[1];
    const isDownload = pathname === '/transfers' && (method === 'GET' || method === 'OPTIONS');
    const isUpload = secret !== undefined && tusMethods.includes(method);
    if (!(isDownload || isUpload) || (hasBody(req) && method !== 'PATCH')) return nothing(res);
    if (!admitOrigin(req, res, context.siteOrigin())) return nothing(res);
    if (secret !== undefined) return await answerUpload(counted, req, res, secret);
    if (method === 'OPTIONS') return void res.writeHead(204, { allow: 'GET, OPTIONS' }).end();
    const given = searchParams.get('ticket') ?? '';
    if (!ticket.test(given)) return nothing(res);
    await download(counted, req, res, { secret: given, inline: searchParams.has('inline') });
  }

  /** Many unknown secrets at once do not hold up the control plane. */
  const counted: PortContext = {
    ...context,
    async ask(request, question) {
      if (questions >= max_questions && request !== 'transfer.ended') throw planeAway();
      questions += 1;
      try {
        return await context.ask(request, question);
      } finally {
        questions -= 1;
      }
    },
  };

  const server = createServer(
    {
      maxHeaderSize: max_head_bytes,
      headersTimeout: head_ms,
      connectionsCheckingInterval: keep_alive_ms,
      keepAliveTimeout: keep_alive_ms,
      // large files take as long as they need: their own bounds end those in which nothing moves
      requestTimeout: 0,
    },
    (req, res) => {
      res.setHeader('cache-control', 'no-store');
      res.setHeader('x-content-type-options', 'nosniff');
      answer(req, res).catch((error) => sendRefusal(res, error, log));
    },
  );
  server.maxConnections = max_connections;
  const listen = () => server.listen(port, host);
  server.on('listening', () =>
    log.info({ host, port, url }, 'Files are given and taken at a port of this machine'),
  );
  server.on('error', (err) => {
    log.error({ err, host, port }, 'The port for transfers could not be opened, will retry');
    retry = setTimeout(listen, retry_ms);
  });
  listen();
  return {
    url: () => (server.listening ? url : null),
    close() {
      clearTimeout(retry);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a request is for; something that leads nowhere for what is no address. */
const targetOf = (target = ''): Pick<URL, 'pathname' | 'searchParams'> =>
  URL.parse(target, 'http://localhost') ?? { pathname: '', searchParams: new URLSearchParams() };

/** Says nothing about what there is. */
function nothing(res: ServerResponse): void {
  const unread = hasBody(res.req);
  res.writeHead(404, { 'content-length': 0, ...(unread ? { connection: 'close' } : {}) }).end();
  if (unread) res.once('finish', () => res.req.destroy());
}
