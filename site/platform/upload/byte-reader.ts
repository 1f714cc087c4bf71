import type { IncomingMessage } from 'node:http';

/** The part of a reader of a web stream that bodies are read by. */
export interface ByteReader {
  read(): Promise<{ done: true; value?: Uint8Array | undefined } | { done: false; value: Uint8Array }>;
  /** A read that waits is done. */
  cancel(): Promise<void>;
}

/** Smaller chunks may share their memory with others. */
const min_own_bytes = 16 * 1024;

/**
 * Reads a body from the connection without the copy of each chunk that its web stream makes. Each read frees the bytes of the
 * one before: left to the garbage collector, hundreds of megabytes of them have it walk the whole heap of the site again
 * and again.
 */
export function readerOf(incoming: IncomingMessage): ByteReader {
  let last: Buffer | null = null;
  let isCancelled = false;
  let wake = () => {};
  const onChange = () => wake();
  const events = ['readable', 'end', 'error', 'close'] as const;
  let isListening = false;
  const listen = () => {
    if (isListening) return;
    isListening = true;
    for (const event of events) incoming.on(event, onChange);
  };
  // nobody else could read the rest while we listen
  const leave = () => {
    for (const event of events) incoming.off(event, onChange);
  };
  return {
    async read() {
      if (last) free(last);
      last = null;
      for (;;) {
        if (isCancelled || incoming.readableEnded) {
          leave();
          return { done: true };
        }
        const chunk = incoming.read() as Buffer | null;
        if (chunk) {
          last = chunk;
          return { done: false, value: chunk };
        }
        if (incoming.destroyed) {
          leave();
          throw incoming.errored ?? new Error('The connection was closed.');
        }
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        listen();
        await changed;
      }
    },
    async cancel() {
      isCancelled = true;
      leave();
      wake();
    },
  };
}

/** Frees memory that belongs to nothing but `chunk`. */
function free({ buffer, byteLength }: Buffer): void {
  if (byteLength >= min_own_bytes && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
