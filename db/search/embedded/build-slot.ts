import { type Builder, startBuilder } from './builder.ts';
import type { BuildInput, BuildResult } from './builder-protocol.ts';

export interface Backoff {
  /** How much builders stand back behind others. */
  nice: number;
  first_ms: number;
  last_ms: number;
}

/** One builder at a time; after one that failed the next starts later every time. */
export class BuildSlot {
  readonly #backoff: Backoff;
  #builder: Builder | null = null;
  #failures = 0;
  #notBefore = 0;

  constructor(backoff: Backoff) {
    this.#backoff = backoff;
  }

  /** Whether one may start now. */
  get free(): boolean {
    return !this.#builder && performance.now() >= this.#notBefore;
  }

  /** Starts a builder and tells how it ended, and where it wrote. */
  async build(given: BuildInput): Promise<{ ended: BuildResult; workshop: string }> {
    const builder = startBuilder({ nice: this.#backoff.nice, ...given });
    this.#builder = builder;
    const ended = await builder.ended;
    this.#builder = null;
    if ('failed' in ended) this.failed();
    else this.#failures = 0;
    return { ended, workshop: builder.workshop };
  }

  /** What was built is of no use. */
  failed(): void {
    const { first_ms, last_ms } = this.#backoff;
    this.#notBefore = performance.now() + Math.min(last_ms, first_ms * 2 ** this.#failures);
    this.#failures++;
  }

  /** Ends the builder at work and settles when it is gone. */
  async kill(): Promise<void> {
    this.#builder?.kill();
    await this.#builder?.ended;
  }
}
