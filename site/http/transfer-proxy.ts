import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { targetOf } from './request-target.ts';

type GatewayAddress = { socketPath: string } | { url: URL };

const passed = [
  'content-type',
  'content-length',
  'content-disposition',
  'cache-control',
  'x-content-type-options',
];
const only = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/**
 * Forwards archives of game servers: PUT from the agents of other machines to the control plane, GET from there to the
 * holder of a ticket. Only a PUT has a body. Bytes stream with the backpressure of the slower side; an abort on one
 * side aborts the other. Answers 405 to other methods, 400 to a GET with a body, 503 while the control plane is down.
 * Source: hosting §1e.
 */
export function transferProxy(address: GatewayAddress) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '' } = req;
    if (method !== 'GET' && method !== 'PUT') {
      res.setHeader('allow', 'GET, PUT');
      return refuse(res, 405, 'request_error', 'Archives are read with GET and sent with PUT.');
    }
    if (method === 'GET' && hasBody(req))
      return refuse(res, 400, 'request_error', 'A GET of an archive has no body.');
    const onward = request({
      ...('url' in address ? { host: address.url.hostname, port: address.url.port || 80 } : address),
      path: targetOf(req.url),
      method,
      // node:http itself frames a PUT without a length in chunks
      headers: only(req.headers),
      agent: false,
    });
    res.once('close', () => onward.destroy());
    const answer = new Promise<IncomingMessage>((go, fail) => {
      onward.once('response', go);
      onward.once('error', fail);
    });
    answer.catch(() => {});
    if (method === 'PUT') pipeline(req, onward).catch(() => onward.destroy());
    else onward.end();
    try {
      const forwarded = await answer;
      res.writeHead(forwarded.statusCode ?? 502, only(forwarded.headers));
      await pipeline(forwarded, res);
    } catch {
      if (res.headersSent) res.destroy();
      else {
        res.setHeader('retry-after', '5');
        refuse(res, 503, 'busy', 'The control plane isn’t responding right now.');
      }
    }
  };
}

/** Whether a request has a body. Source: RFC 9112 §6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function refuse(res: ServerResponse, status: number, error: string, description: string): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ error, description }));
}
