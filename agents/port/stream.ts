import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A client that takes nothing for this long is gone. */
const idle_ms = 5 * 60_000;

interface Head {
  status: number;
  headers: OutgoingHttpHeaders;
}

/**
 * Answers with `body`, whose next piece is read while one is sent. The head is sent with the first piece, so that a body that
 * fails before can still be refused. Gives the bytes. Throws when `signal` ends it, and when the client is gone.
 */
export async function stream(
  res: ServerResponse,
  head: () => Promise<Head>,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const pieces = body[Symbol.asyncIterator]();
  const gone = new AbortController();
  const ends = AbortSignal.any([signal, gone.signal]);
  const onClose = () => gone.abort(new Error('The client is gone'));
  res.once('close', onClose);
  if (res.destroyed) onClose();
  res.setTimeout(idle_ms, () => void res.destroy());
  let bytes = 0;
  try {
    ends.throwIfAborted();
    let next = pieces.next();
    for (let piece = await next; !piece.done; piece = await next) {
      next = pieces.next();
      next.catch(() => {}); // thrown once it is its turn
      if (!res.headersSent) await writeHead(res, head, ends);
      ends.throwIfAborted();
      bytes += piece.value.length;
      if (!res.write(piece.value)) await once(res, 'drain', { signal: ends });
    }
    if (!res.headersSent) await writeHead(res, head, ends);
    ends.throwIfAborted();
    res.off('close', onClose);
    res.end();
    return bytes;
  } catch (error) {
    if (res.headersSent) res.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    res.off('close', onClose);
    await pieces.return?.().catch(() => {});
  }
}

async function writeHead(res: ServerResponse, head: () => Promise<Head>, ends: AbortSignal): Promise<void> {
  const { status, headers } = await head();
  ends.throwIfAborted();
  res.writeHead(status, headers);
}
