import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Refused } from '#db/platform/errors.ts';
import { endpointOf, parseControlAddress } from '#db/platform/runtime/control-address.ts';

/** Names the plane that forwarded a request. It says nothing about who sent it. */
export const hop_header = 'x-cairn-forwarded-by';

/** How long nothing may move in either direction; an archive may take a minute to begin. */
const idle_ms = 90_000;
const connect_timeout_ms = 3_000;

/** Headers of one connection, which are not passed on. Source: RFC 9110 §7.6.1. */
const of_connection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host'],
]);

/** Whether another plane forwarded the request: it must be answered here, and never be forwarded again. */
const isForwarded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers[hop_header] !== undefined;

interface Route {
  /** The plane that forwards. */
  from: string;
  /** Address of the plane that has what the request asks for; null when it is not known or dead. */
  to: string | null;
}

/**
 * Sends a request of any method on to another plane and its answer back. Bytes stream with the backpressure of the
 * slower side; an end of one side ends the other, and an answer that is cut off does not look complete. Throws, with
 * nothing sent yet, `plane_loop` for a request that was forwarded already and `plane_away` when the plane cannot be
 * reached. Source: hosting §5.2.
 */
export async function forwardRequest(
  { from, to }: Route,
  req: IncomingMessage,
  res: ServerResponse,
  limits: { idle_ms?: number } = {},
): Promise<void> {
  if (isForwarded(req)) throw new Refused('plane_loop');
  if (to === null) throw new Refused('plane_away');
  const onward = request({
    ...endpointOf(parseControlAddress(to)),
    path: req.url,
    method: req.method,
    headers: {
      ...passed(req.headers),
      // node:http frames no body of a DELETE by itself
      ...(req.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
      [hop_header]: from,
      // without it the connection is reset after a refusal that comes before the body has ended
      connection: 'keep-alive',
    },
    agent: false,
  });
  const silence = limits.idle_ms ?? idle_ms;
  const connecting = setTimeout(() => onward.destroy(new Error('connect timeout')), connect_timeout_ms);
  onward.once('socket', (socket) => {
    socket.once('connect', () => {
      clearTimeout(connecting);
      onward.setTimeout(silence, () => onward.destroy(new Error('nothing moved')));
    });
  });
  const onClosed = () => onward.destroy();
  res.once('close', onClosed);
  const answered = new Promise<IncomingMessage>((go, fail) => {
    onward.once('response', go);
    onward.on('error', fail);
    onward.once('close', () => fail(new Error('closed before an answer')));
  });
  answered.catch(() => {});
  // not `pipeline`: it would destroy the client's socket, which still has to hear of a failure
  if (hasBody(req)) req.pipe(onward);
  else onward.end();
  try {
    const answer = await answered;
    res.writeHead(answer.statusCode ?? 502, passed(answer.headers));
    await pipeline(answer, res);
  } catch {
    if (res.headersSent || res.destroyed) res.destroy();
    else throw new Refused('plane_away');
  } finally {
    clearTimeout(connecting);
    res.off('close', onClosed);
    req.unpipe(onward);
    // the rest of a body that nobody wants: behind it waits the next request of the connection
    req.resume();
  }
}

/** Whether a request has a body. Source: RFC 9112 §6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function passed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !of_connection.has(name) && !named.includes(name)),
  );
}
