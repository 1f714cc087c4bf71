import type { Status } from './status-ping.ts';

/** The players on one running server, by its status ping. */
export class PlayerCount {
  readonly #ask: () => Promise<Status | null>;
  readonly #now: () => number;
  #asked_at = Number.NEGATIVE_INFINITY;
  #known: Status | null = null;
  #empty_since: number | null = null;
  /** Rises when it starts anew: older answers are not of its process. */
  #run = 0;

  constructor(options: { ask: () => Promise<Status | null>; now: () => number }) {
    [this.#ask, this.#now] = [options.ask, options.now];
  }

  /** Since when nobody plays, milliseconds since 1970; null while somebody does and before that was seen. */
  get empty_since(): number | null {
    return this.#empty_since;
  }
  /** Most players that it takes, as it said last; 0 before that. */
  get most(): number {
    return this.#known?.most ?? 0;
  }

  /** The last count; asks again when that is older than `every_ms`. */
  recent(every_ms: number): Status | null {
    if (this.#now() - this.#asked_at >= every_ms) void this.fresh();
    return this.#known;
  }

  /** Asks it now; null when it does not answer. */
  async fresh(): Promise<Status | null> {
    this.#asked_at = this.#now();
    const run = this.#run;
    const status = await this.#ask();
    if (run !== this.#run) return null;
    this.#known = status;
    // without an answer nothing is known that was not before
    if (status) this.#empty_since = status.online > 0 ? null : (this.#empty_since ?? this.#now());
    return status;
  }

  /** Whatever was seen is not true any more: it starts, or it cannot be asked. */
  forget(): void {
    this.#run += 1;
    this.#asked_at = Number.NEGATIVE_INFINITY;
    this.#empty_since = null;
  }
}
