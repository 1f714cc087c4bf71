import type { FileHandle } from 'node:fs/promises';

const most_bytes = 1024 * 1024;

/**
 * Writes what arrives to a file, from byte `at` on: at once while nothing is being written, and what comes meanwhile in one
 * piece after that. Nothing is kept of a chunk that was added, so its memory is free at once.
 */
export class AppendWriter {
  readonly #handle: FileHandle;
  readonly #onWritten: (bytes: number) => void;
  #collecting: Buffer;
  #other: Buffer;
  #used = 0;
  #writing: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;
  /** How far the file is. */
  at: number;

  /** `expected` bytes will come, NaN when that is not known. */
  constructor(
    handle: FileHandle,
    { at, expected, onWritten }: { at: number; expected: number; onWritten(bytes: number): void },
  ) {
    [this.#handle, this.at, this.#onWritten] = [handle, at, onWritten];
    const size = Math.max(1, Math.min(most_bytes, Number.isSafeInteger(expected) ? expected : most_bytes));
    [this.#collecting, this.#other] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  }

  /** Takes a chunk. Throws what an earlier write failed with. */
  async add(chunk: Buffer): Promise<void> {
    for (let from = 0; from < chunk.length; ) {
      if (this.#used === this.#collecting.length) await this.#writing;
      this.#assertWorks();
      const bytes = chunk.copy(this.#collecting, this.#used, from);
      [from, this.#used] = [from + bytes, this.#used + bytes];
      this.#begin();
    }
  }

  /** Waits until all of it is written. Throws what a write failed with. */
  async end(): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#assertWorks();
  }

  #assertWorks(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #begin(): void {
    if (this.#writing || this.#used === 0) return;
    const bytes = this.#collecting.subarray(0, this.#used);
    [this.#collecting, this.#other, this.#used] = [this.#other, this.#collecting, 0];
    this.#writing = this.#write(bytes).then(
      () => {
        this.#writing = null;
        this.#begin();
      },
      (error) => {
        [this.#writing, this.#failure] = [null, { error }];
      },
    );
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, from, bytes.length - from, this.at);
      [from, this.at] = [from + bytesWritten, this.at + bytesWritten];
      this.#onWritten(bytesWritten);
    }
  }
}
