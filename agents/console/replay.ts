import type { ConsoleLine } from '#control/protocol/console.ts';
import type { Mark, Typed } from '../journal/consoles.ts';
import type { Ring } from './ring.ts';

/**
 * Gives lines of the engine's log the numbers that they had when they were said: counted from the first line on, with
 * the typed lines, which no log holds, at their places. When the log no longer begins at the beginning, it is counted
 * from the last mark on. Source: hosting §5.4.
 */
export class Replay {
  readonly #ring: Ring;
  readonly #mark: Mark | null;
  readonly #typed: Map<number, Typed>;
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #newest: string | null;
  #number = 1;
  #begun = false;
  #skips = false;
  #at = '';

  constructor(ring: Ring, from: { mark: Mark | null; typed: Typed[]; newest: string | null }) {
    this.#ring = ring;
    this.#mark = from.mark;
    this.#typed = new Map(from.typed.map((typed) => [typed.seq, typed]));
    this.#newest = from.newest;
    if (!this.#newest) this.#caughtUp.resolve();
  }

  /** Milliseconds since 1970 of the line that comes now. */
  get now(): number {
    return Date.parse(this.#at);
  }

  /** The engine's moment of the next line, to the nanosecond, in its own words. */
  at(moment: string): void {
    this.#at = moment;
  }

  line(line: Omit<ConsoleLine, 'seq'>): void {
    if (!this.#begun) this.#begin(line.text);
    if (this.#skips && line.at <= (this.#mark?.at ?? 0)) return;
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
    if (!this.#mark || this.#mark.first === first) return;
    this.#skips = true;
    this.#number = this.#mark.seq + 1;
    if (this.#ring.next < this.#number) this.#ring.reset(this.#number);
  }

  #putTyped(): void {
    for (let typed = this.#typed.get(this.#number); typed; typed = this.#typed.get(this.#number))
      this.#put({ at: typed.at, stream: 'in', text: typed.text });
  }

  /** A number that the ring has already is a line that it has already. */
  #put(line: Omit<ConsoleLine, 'seq'>): void {
    if (this.#number >= this.#ring.next) this.#ring.add(line);
    this.#number += 1;
  }

  /** A line was typed just now: it took the next number. */
  typedNow(): void {
    this.#number = this.#ring.next;
  }

  /** Waits until everything that stood in the log at the beginning was read, `most_ms` at most; gives whether it was. */
  async caughtUp(most_ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), most_ms);
    const whole = await Promise.race([this.#caughtUp.promise.then(() => true), promise]);
    clearTimeout(timer);
    return whole;
  }
}
