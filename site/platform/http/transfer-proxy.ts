import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Refused } from '#db/platform/errors.ts';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';
import { targetOf } from './request-target.ts';

type GatewayAddress = { socketPath: string } | { url: URL };

const passed = [
  ...['content-type', 'content-length', 'content-disposition', 'content-security-policy', 'cache-control'],
  ...['x-content-type-options', 'etag', 'accept-ranges', 'content-range', 'range', 'if-range', 'allow'],
  // of the tus protocol
  ...['tus-resumable', 'tus-version', 'tus-extension', 'upload-offset', 'upload-length'],
];
const only = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

const uploads = /^\/transfers\/uploads\/\w+$/;

/** Whether the path is one of transfers: `/transfers` itself, or an upload. */
export const isTransferPath = (path: string): boolean => path === '/transfers' || uploads.test(path);

/** A path as logs may hold it: the last part of an upload's is its secret. */
export const loggedPath = (path: string): string => (uploads.test(path) ? '/transfers/uploads/…' : path);

/** The methods of a path, and those of them that have a body. */
const methodsOf = (path: string) =>
  uploads.test(path)
    ? {
        allow: ['OPTIONS', 'HEAD', 'PATCH', 'DELETE'],
        withBody: ['PATCH'],
        what: 'Uploads are sent with PATCH.',
      }
    : { allow: ['GET', 'PUT'], withBody: ['PUT'], what: 'Files are read with GET and sent with PUT.' };

/**
 * Forwards transfers of files of game servers to the control plane: `/transfers`, where agents of other machines send
 * (PUT) and fetch (GET), and holders of a ticket download (GET), and uploads by tus. Bytes stream with the backpressure of the
 * slower side; an abort on one side aborts the other. Answers 405 to other methods, 400 to a body where there must be none, 413 to
 * a piece of an upload that is too large, 503 while the control plane is down. Source: hosting §1e.
 */
export function transferProxy(address: GatewayAddress) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '' } = req;
    const target = targetOf(req.url);
    const { allow, withBody, what } = methodsOf(target.split('?', 1)[0]!);
    if (!allow.includes(method)) {
      res.setHeader('allow', allow.join(', '));
      return refuse(res, 405, 'request_error', what);
    }
    const sends = withBody.includes(method);
    if (!sends && hasBody(req))
      return refuse(res, 400, 'request_error', `A ${method} of a transfer has no body.`);
    if (method === 'PATCH' && Number(req.headers['content-length'] ?? 0) > max_upload_request_bytes) {
      const problem = new Refused('body_too_large', { limit_bytes: max_upload_request_bytes });
      return refuse(res, problem.status, problem.code, problem.message);
    }
    const onward = request({
      ...('url' in address ? { host: address.url.hostname, port: address.url.port || 80 } : address),
      path: target,
      method,
      // node:http itself frames a body without a length in chunks
      // without keep-alive the connection is reset after a refusal that comes before the body has ended
      headers: { ...only(req.headers), connection: 'keep-alive' },
      agent: false,
    });
    res.once('close', () => onward.destroy());
    const answer = new Promise<IncomingMessage>((go, fail) => {
      onward.once('response', go);
      onward.on('error', fail);
    });
    answer.catch(() => {});
    // not `pipeline`: it would destroy the client's socket, which still has to hear of a failure
    if (sends) req.pipe(onward);
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
    } finally {
      req.unpipe(onward);
      // the rest of a body that nobody wants: behind it waits the next request of the connection
      req.resume();
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
