import type { Readable } from 'node:stream';
import type { FileEntry } from '../protocol/files.ts';
import { SftpFailure } from './failure.ts';
import type { ServerFiles } from './server-files.ts';

/** After a jump this much is asked for, and four times as much each time that was read to its end. */
const first_window = 256 * 1024;
const largest_window = 64 * 1024 * 1024;
/** How long the end of a file is believed to be its end: clients ask for many bytes behind it at once. */
const end_ms = 1_000;

interface Wanted {
  offset: number;
  length: number;
  done(data: Buffer | null): void;
  failed(error: unknown): void;
}

/**
 * Reads of one open file. Clients ask for many pieces at once and in order: they come from one stream that runs ahead as far
 * as its buffers go. A read elsewhere ends it and opens another one there.
 */
export class FileReader {
  readonly #files: Pick<ServerFiles, 'read' | 'stat'>;
  readonly #path: string;
  #size: number;
  readonly #wanted: Wanted[] = [];
  #running = false;
  #closed = false;
  #stream: Readable | null = null;
  #chunks: AsyncIterator<Buffer> | null = null;
  /** Bytes of the stream that nobody has asked for yet. */
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;
  /** Where the stream ends; without a bound it ends with the file. */
  #window: number | null = null;
  #window_end = Number.POSITIVE_INFINITY;
  #end_seen: number | null = null;

  constructor(files: Pick<ServerFiles, 'read' | 'stat'>, path: string, entry: FileEntry) {
    this.#files = files;
    this.#path = path;
    this.#size = entry.bytes;
  }

  /** Bytes from `offset` on, fewer only at the end of the file; null behind it. Refuses as `ServerFiles.read`. */
  read(offset: number, length: number): Promise<Buffer | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    this.#wanted.push({ offset, length, done: resolve, failed: reject });
    void this.#run();
    return promise;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let next = this.#next(); next; next = this.#next()) {
      try {
        next.done(await this.#take(next.offset, next.length));
      } catch (error) {
        this.#drop();
        next.failed(this.#closed ? new SftpFailure('failure', 'The file was closed.') : error);
      }
    }
    this.#running = false;
  }

  /** The read that the stream is at, else the oldest one. */
  #next(): Wanted | undefined {
    const here = this.#wanted.findIndex(({ offset }) => offset === this.#position);
    return this.#wanted.splice(Math.max(here, 0), 1)[0];
  }

  async #take(offset: number, length: number): Promise<Buffer | null> {
    if (this.#closed) throw new SftpFailure('failure', 'The file was closed.');
    if (length === 0) return Buffer.alloc(0);
    if (!(await this.#isInside(offset))) return null;
    if (offset !== this.#position || !this.#chunks) await this.#open(offset);
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) break;
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      this.#position += part.length;
      missing -= part.length;
      parts.push(part);
    }
    if (missing === length) return null;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Whether the file has a byte there; behind its known end the agent is asked, because files grow. */
  async #isInside(offset: number): Promise<boolean> {
    if (offset < this.#size) return true;
    if (this.#end_seen !== null && performance.now() - this.#end_seen < end_ms) return false;
    const entry = await this.#files.stat(this.#path);
    if (!entry) throw new SftpFailure('no_such_file', 'The file doesn’t exist any more.');
    this.#size = entry.bytes;
    if (offset < this.#size) return true;
    this.#end_seen = performance.now();
    return false;
  }

  async #open(offset: number): Promise<void> {
    this.#drop();
    // whoever starts at the beginning mostly wants everything
    this.#window = offset === 0 ? null : first_window;
    await this.#openWindow(offset);
  }

  async #openWindow(offset: number): Promise<void> {
    const length = this.#window;
    this.#position = offset;
    this.#window_end = length === null ? Number.POSITIVE_INFINITY : offset + length;
    const stream = await this.#files.read(this.#path, { offset, ...(length !== null && { length }) });
    // an error reaches whoever reads, also when nobody does at that moment
    stream.on('error', () => {});
    if (this.#closed) {
      stream.destroy();
      throw new SftpFailure('failure', 'The file was closed.');
    }
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Fetches the next bytes of the stream; false at the end of the file. */
  async #more(): Promise<boolean> {
    for (;;) {
      const next = await this.#chunks!.next();
      if (!next.done) {
        this.#rest = next.value;
        if (this.#rest.length > 0) return true;
        continue;
      }
      const at = this.#position;
      if (at < this.#window_end || this.#window === null) {
        // shorter than it was: its end is here now
        this.#size = at;
        this.#end_seen = performance.now();
        this.#drop();
        return false;
      }
      if (at >= this.#size) {
        this.#drop();
        return false;
      }
      this.#drop();
      this.#window = this.#window < largest_window ? this.#window * 4 : null;
      await this.#openWindow(at);
    }
  }

  #drop(): void {
    this.#stream?.destroy();
    this.#stream = null;
    this.#chunks = null;
    this.#rest = Buffer.alloc(0);
  }
}
