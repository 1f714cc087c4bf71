import { readSync, writeSync } from 'node:fs';

/**
 * What a pipe holds. A longer write wakes the reader only when the pipe is full and then waits for it to be empty: they
 * never work at the same time.
 */
export const pipe_bytes = 64 * 1024;

/** Writes everything; a full pipe that does not block is tried again. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Collects what is written to `fd`; files are read straight into its buffer. */
export class Output {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(pipe_bytes);
  #used = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(bytes: Buffer): void {
    if (this.#used + bytes.length > pipe_bytes) this.flush();
    if (bytes.length > pipe_bytes) writeAll(this.#fd, bytes);
    else this.#used += bytes.copy(this.#buffer, this.#used);
  }

  zeros(count: number): void {
    for (let left = count; left > 0; ) {
      if (this.#used === pipe_bytes) this.flush();
      const now = Math.min(left, pipe_bytes - this.#used);
      this.#buffer.fill(0, this.#used, this.#used + now);
      this.#used += now;
      left -= now;
    }
  }

  /**
   * Copies `length` bytes of the open file `from`, beginning at `offset`, or where it is when that is null. Gives how many
   * there were; `seen` gets them.
   */
  copy(from: number, offset: number | null, length: number, seen: (bytes: Buffer) => void): number {
    let done = 0;
    while (done < length) {
      if (this.#used === pipe_bytes) this.flush();
      const room = Math.min(length - done, pipe_bytes - this.#used);
      const read = readSync(from, this.#buffer, this.#used, room, offset === null ? null : offset + done);
      if (read === 0) break;
      seen(this.#buffer.subarray(this.#used, this.#used + read));
      this.#used += read;
      done += read;
    }
    return done;
  }

  flush(): void {
    writeAll(this.#fd, this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }
}
