import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { targetOf } from './target.ts';

type Door = { socketPath: string } | { url: URL };

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
 * Passes archives of game servers on: from the agents of other machines to the control plane, and from there to whoever
 * shows a ticket. Bytes stream with the pressure of the slower side; what breaks off on one side breaks off on the other.
 * 503 while the control plane is away. Source: hosting §1e.
 */
export function parcelProxy(door: Door) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const onward = request({
      ...('url' in door ? { host: door.url.hostname, port: door.url.port || 80 } : door),
      path: targetOf(req.url),
      method: req.method,
      headers: only(req.headers),
      agent: false,
    });
    res.once('close', () => onward.destroy());
    const answer = new Promise<IncomingMessage>((go, fail) => {
      onward.once('response', go);
      onward.once('error', fail);
    });
    answer.catch(() => {});
    const sent = pipeline(req, onward);
    sent.catch(() => onward.destroy());
    try {
      const told = await answer;
      res.writeHead(told.statusCode ?? 502, only(told.headers));
      await pipeline(told, res);
    } catch {
      if (res.headersSent) res.destroy();
      else
        res.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end(
          JSON.stringify({
            error: 'busy',
            description: 'The control plane does not answer at the moment.',
          }),
        );
    }
  };
}
