import { readSync, writeSync } from 'node:fs';

const size = 1024 * 1024;

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
  readonly #buffer = Buffer.allocUnsafe(size);
  #used = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(bytes: Buffer): void {
    if (this.#used + bytes.length > size) this.flush();
    if (bytes.length > size) writeAll(this.#fd, bytes);
    else this.#used += bytes.copy(this.#buffer, this.#used);
  }

  zeros(count: number): void {
    for (let left = count; left > 0; ) {
      if (this.#used === size) this.flush();
      const now = Math.min(left, size - this.#used);
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
      if (this.#used === size) this.flush();
      const room = Math.min(length - done, size - this.#used);
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
