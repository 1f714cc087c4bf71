import type { IncomingMessage } from 'node:http';

interface Bounds {
  max_bytes: number;
  idle_ms: number;
}

/** How a body ended: as it should, with its client, or as a bound or `stop` ended it. */
type BodyEnd = 'complete' | 'client_gone' | 'idle' | 'too_large' | 'stopped';

/**
 * The body of a request, read once, at the pace of its reader. When it ends early reading throws, and the connection stays: its
 * client still has to hear why.
 */
export class RequestBody implements AsyncIterable<Buffer> {
  readonly #req: IncomingMessage;
  readonly #bounds: Bounds;
  #wake = () => {};
  /** Null while it goes on. */
  end: BodyEnd | null = null;

  constructor(req: IncomingMessage, bounds: Bounds) {
    [this.#req, this.#bounds] = [req, bounds];
  }

  /** Nothing more is read. */
  stop(): void {
    this.#end('stopped');
  }

  #end(how: BodyEnd): void {
    this.end ??= how;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const [req, { max_bytes, idle_ms }] = [this.#req, this.#bounds];
    let bytes = 0;
    const idle = setTimeout(() => this.#end('idle'), idle_ms);
    const onReadable = () => this.#wake();
    const onEnd = () => this.#end('complete');
    const onGone = () => this.#end('client_gone');
    req.on('readable', onReadable).once('end', onEnd).once('close', onGone).on('error', onGone);
    try {
      while (this.end === null || this.end === 'complete') {
        const chunk = req.read() as Buffer | null;
        if (chunk) {
          bytes += chunk.length;
          if (bytes > max_bytes) this.#end('too_large');
          else yield chunk;
          // a slow disk is no slow client
          idle.refresh();
        } else if (this.end) return;
        else
          await new Promise<void>((go) => {
            this.#wake = go;
          });
      }
      throw new Error(`The body of a request ended: ${this.end}`);
    } finally {
      clearTimeout(idle);
      req.off('readable', onReadable).off('end', onEnd).off('close', onGone);
    }
  }
}
