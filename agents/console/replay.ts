import type { ConsoleLine } from '#control/protocol/console.ts';
import type { ReadPosition, TypedCommand } from '../state/consoles.ts';
import type { LineBuffer } from './line-buffer.ts';

/**
 * Numbers the lines of Docker's log as they were numbered when they were written: from the first line on, with
 * commands, which the log does not contain, in their places. When the beginning of the log was dropped, it numbers
 * from the stored read position on. Source: hosting §5.4.
 */
export class LogReplay {
  readonly #buffer: LineBuffer;
  readonly #position: ReadPosition | null;
  readonly #typed: Map<number, TypedCommand>;
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #newest: string | null;
  #number = 1;
  #begun = false;
  #skips = false;
  #at = '';

  constructor(
    buffer: LineBuffer,
    from: { position: ReadPosition | null; typed: TypedCommand[]; newest: string | null },
  ) {
    this.#buffer = buffer;
    this.#position = from.position;
    this.#typed = new Map(from.typed.map((typed) => [typed.seq, typed]));
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
    this.#putTyped();
    this.#put(line);
    if (this.#newest && this.#at >= this.#newest) {
      this.#putTyped();
      this.#caughtUp.resolve();
    }
  }

  #begin(first: string): void {
    this.#begun = true;
    if (!this.#position || this.#position.first === first) return;
    this.#skips = true;
    this.#number = this.#position.seq + 1;
    if (this.#buffer.next < this.#number) this.#buffer.reset(this.#number);
  }

  #putTyped(): void {
    for (let typed = this.#typed.get(this.#number); typed; typed = this.#typed.get(this.#number))
      this.#put({ at: typed.at, stream: 'in', text: typed.text });
  }

  /** A number below the next number of the buffer belongs to a line that is buffered already. */
  #put(line: Omit<ConsoleLine, 'seq'>): void {
    if (this.#number >= this.#buffer.next) this.#buffer.add(line);
    this.#number += 1;
  }

  /** A command was written just now and took the next number. */
  typedNow(): void {
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
