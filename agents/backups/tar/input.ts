import { readSync } from 'node:fs';
import { TarDamaged } from './format.ts';

const size = 1024 * 1024;

/** Reads a stream from `fd` in large pieces. */
export class Input {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(size);
  #from = 0;
  #to = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Gives whether there is more. */
  #fill(): boolean {
    if (this.#from < this.#to) return true;
    [this.#from, this.#to] = [0, readSync(this.#fd, this.#buffer, 0, size, null)];
    return this.#to > 0;
  }

  /** Gives the next `length` bytes in pieces, which are valid until the next one. Throws `TarDamaged` when it ends before. */
  take(length: number, use: (bytes: Buffer) => void): void {
    for (let left = length; left > 0; ) {
      if (!this.#fill()) throw new TarDamaged('it ends too early');
      const now = Math.min(left, this.#to - this.#from);
      use(this.#buffer.subarray(this.#from, this.#from + now));
      this.#from += now;
      left -= now;
    }
  }

  skip(length: number): void {
    this.take(length, () => {});
  }

  /** A copy of the next `length` bytes. */
  read(length: number): Buffer {
    const parts: Buffer[] = [];
    this.take(length, (bytes) => parts.push(Buffer.from(bytes)));
    return Buffer.concat(parts);
  }

  /** Reads to the end. */
  drain(): void {
    while (this.#fill()) this.#from = this.#to;
  }
}
