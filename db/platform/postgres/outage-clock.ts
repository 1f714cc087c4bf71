/** How often a running process calls `tick`, in milliseconds. */
export const tick_ms = 100;
/** Silence after a question for which Postgres counts as away, in milliseconds of a process that runs. */
export const patience_ms = 1_000;

/**
 * Decides whether Postgres is away, from what it was asked and what was heard from it. Every `now` is in milliseconds of
 * one monotonic clock. Silence is counted in ticks: while the process itself is suspended or busy it hears nothing, and
 * that says nothing about Postgres.
 */
export class OutageClock {
  #asked_at: number | null = null;
  #heard_at = Number.NEGATIVE_INFINITY;
  #away_since: number | null = null;
  #silent_ms = 0;

  /**
   * The latest moment at which the outage may have begun, null while Postgres answers. A server that hangs may have
   * stopped between its last answer and the first question without one, so the later of the two counts.
   */
  get away_since(): number | null {
    return this.#away_since;
  }

  /** A question was sent. */
  asked(now: number): void {
    this.#asked_at ??= now;
  }

  /** Something arrived from Postgres on some connection. */
  heard(now: number): void {
    this.#heard_at = now;
    this.#silent_ms = 0;
  }

  /** The question was answered: Postgres is there. */
  answered(now: number): void {
    this.heard(now);
    this.#asked_at = null;
    this.#away_since = null;
  }

  /** Postgres refused a connection: it is not there, whatever was heard before. */
  refused(now: number): void {
    this.#away_since ??= now;
  }

  /** Time passes. */
  tick(): void {
    this.#silent_ms = this.#asked_at === null ? 0 : this.#silent_ms + tick_ms;
    if (this.#asked_at !== null && this.#silent_ms >= patience_ms)
      this.#away_since ??= Math.max(this.#asked_at, this.#heard_at);
  }
}
