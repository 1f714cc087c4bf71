import { isAscii } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** How long a body may be that is read here; longer ones are left to the route. */
const max_bytes = 64 * 1024;
/** How long a client may take to send it; slower ones are judged by the route. */
const patience_ms = 500;

/**
 * Waits until the whole body of `req` is there, and gives it to `take`. What `take` does not want (false) stays in `req` as
 * if nobody had read it, as do bodies that are long, slow, or hold more than ASCII.
 */
export async function takeBody(req: IncomingMessage, take: (body: Buffer) => boolean): Promise<boolean> {
  const length = Number(req.headers['content-length']);
  if (!(length > 0 && length <= Math.min(max_bytes, req.readableHighWaterMark))) return false;
  if (req.readableLength < length) await filled(req, length);
  if (req.readableLength !== length) return false;
  const body = req.read() as Buffer | null;
  if (!body) return false;
  // in the turn in which it was read, nobody was told of the end
  const isTaken = isAscii(body) && take(body);
  if (!isTaken) req.unshift(body);
  return isTaken;
}

const filled = (req: IncomingMessage, length: number): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      req.off('readable', look).off('close', end);
      done();
    };
    const look = () => {
      if (req.readableLength >= length) end();
    };
    const timer = setTimeout(end, patience_ms);
    req.on('readable', look).once('close', end);
  });
