import type { ConsoleLine } from '#control/protocol/console.ts';
import type { AddedLine, ReadPosition } from '../state/consoles.ts';
import type { LineBuffer } from './line-buffer.ts';

/**
 * Numbers the lines of Docker's log as they were numbered when they were written: from the first line on, with
 * lines that the log does not contain in their places, and without those that the console left out. When the beginning of the log was dropped, it numbers
 * from the stored read position on. Source: hosting §5.4.
 */
export class LogReplay {
  readonly #buffer: LineBuffer;
  readonly #position: ReadPosition | null;
  readonly #added: Map<number, AddedLine>;
  readonly #hidden: Map<number, number>;
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #newest: string | null;
  #number = 1;
  #begun = false;
  #skips = false;
  #at = '';

  constructor(
    buffer: LineBuffer,
    from: {
      position: ReadPosition | null;
      added: AddedLine[];
      /** How many lines of the log are left out before each number. */
      hidden?: Map<number, number>;
      newest: string | null;
    },
  ) {
    this.#buffer = buffer;
    this.#position = from.position;
    this.#added = new Map(from.added.map((line) => [line.seq, line]));
    this.#hidden = from.hidden ?? new Map();
    this.#newest = from.newest;
    if (!this.#newest) this.#caughtUp.resolve();
  }

  /** Time of the current line, milliseconds since 1970. */
  get now(): number {
    return Date.parse(this.#at);
  }

  /** Docker's timestamp of the next line, to the nanosecond. */
  at(moment: string): void {
    this.#at = moment;
  }

  line(line: Omit<ConsoleLine, 'seq'>): void {
    if (!this.#begun) this.#begin(line.text);
    if (this.#skips && line.at <= (this.#position?.at ?? 0)) return;
    this.#skips = false;
    if (!this.#isHidden()) this.#put(line);
    if (this.#newest && this.#at >= this.#newest) {
      this.#putAdded();
      this.#caughtUp.resolve();
    }
  }

  /** Puts the lines that the log lacks here. Gives whether the next line of the log was left out. */
  #isHidden(): boolean {
    for (;;) {
      const left_out = this.#hidden.get(this.#number) ?? 0;
      if (left_out > 0) {
        this.#hidden.set(this.#number, left_out - 1);
        return true;
      }
      const added = this.#added.get(this.#number);
      if (!added) return false;
      this.#put(added);
    }
  }

  #begin(first: string): void {
    this.#begun = true;
    if (!this.#position || this.#position.first === first) return;
    this.#skips = true;
    this.#number = this.#position.seq + 1;
    if (this.#buffer.next < this.#number) this.#buffer.reset(this.#number);
    // perhaps among the lines that are skipped
    this.#hidden.delete(this.#number);
  }

  #putAdded(): void {
    for (let added = this.#added.get(this.#number); added; added = this.#added.get(this.#number))
      this.#put(added);
  }

  /** A number below the next number of the buffer belongs to a line that is buffered already. */
  #put({ at, stream, text }: Omit<ConsoleLine, 'seq'>): void {
    if (this.#number >= this.#buffer.next) this.#buffer.add({ at, stream, text });
    this.#number += 1;
  }

  /** A line that the log lacks was added just now and took the next number. */
  addedNow(): void {
    this.#number = this.#buffer.next;
  }

  /** Waits until the log of the time before was read, at most `timeout_ms`; gives whether it was. */
  async caughtUp(timeout_ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), timeout_ms);
    const whole = await Promise.race([this.#caughtUp.promise.then(() => true), promise]);
    clearTimeout(timer);
    return whole;
  }
}
