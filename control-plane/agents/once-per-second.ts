/** How many keys are remembered. */
const max_keys = 1_000;

/** Lets one message of each key through in a second: what comes in between is outdated by the next one. */
export class OncePerSecond {
  /** When each key was last let through, oldest first. */
  readonly #last = new Map<string, number>();

  /** Whether the message at `now_ms` goes through. */
  admit(key: string, now_ms: number): boolean {
    if (now_ms - (this.#last.get(key) ?? Number.NEGATIVE_INFINITY) < 1_000) return false;
    this.#last.delete(key);
    this.#last.set(key, now_ms);
    if (this.#last.size > max_keys) this.#last.delete(this.#last.keys().next().value!);
    return true;
  }
}
