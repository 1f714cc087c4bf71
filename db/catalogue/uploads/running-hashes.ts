import { createHash, type Hash } from 'node:crypto';

interface Running {
  /** Bytes hashed so far. */
  bytes: number;
  sha1: Hash;
  sha512: Hash;
}

/** The hashes of a finished upload, in hexadecimal. */
export interface FileHashes {
  sha1: string;
  sha512: string;
}

/** Uploads that are followed at a time; of the one that rested longest the file is read again. */
const most = 256;

/**
 * Hashes uploads while their bytes arrive, over all requests of an upload, so that publishing does not read the file again. Only
 * this process knows them: after a restart, or when another process took a piece, there is none.
 */
export class RunningHashes {
  readonly #running = new Map<string, Running>();

  /** Passes on what is appended to upload `id` at `offset`, and hashes it when everything before it is known. */
  async *through(id: string, offset: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const running = offset === 0 ? begun() : this.#running.get(id);
    this.#running.delete(id);
    if (running?.bytes !== offset) {
      yield* chunks;
      return;
    }
    const [rested] = this.#running.keys();
    if (this.#running.size >= most && rested !== undefined) this.#running.delete(rested);
    this.#running.set(id, running);
    for await (const chunk of chunks) {
      running.sha1.update(chunk);
      running.sha512.update(chunk);
      running.bytes += chunk.length;
      yield chunk;
    }
  }

  /** Forgets what does not agree with the `size` that is stored: the disk may have refused a part of the last bytes. */
  agree(id: string, size: number): void {
    if (this.#running.get(id)?.bytes !== size) this.#running.delete(id);
  }

  /** The hashes of an upload of which all `size` bytes were seen, else null. They stay, as publishing may be refused. */
  finished(id: string, size: number): FileHashes | null {
    const running = this.#running.get(id);
    if (running?.bytes !== size) return null;
    return { sha1: running.sha1.copy().digest('hex'), sha512: running.sha512.copy().digest('hex') };
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#running.delete(id);
  }
}

const begun = (): Running => ({ bytes: 0, sha1: createHash('sha1'), sha512: createHash('sha512') });
