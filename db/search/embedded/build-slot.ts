import { type Builder, startBuilder } from './builder.ts';
import type { BuildInput, BuildResult } from './builder-protocol.ts';

export interface Backoff {
  /** Priorities of builder processes. */
  nice: number;
  first_ms: number;
  last_ms: number;
}

/** Runs one builder at a time; after a failure the next may start with exponential backoff. */
export class BuildSlot {
  readonly #backoff: Backoff;
  #builder: Builder | null = null;
  #failures = 0;
  #notBefore = 0;

  constructor(backoff: Backoff) {
    this.#backoff = backoff;
  }

  /** Whether a builder may start now. */
  get free(): boolean {
    return !this.#builder && performance.now() >= this.#notBefore;
  }

  /** Starts a builder and reports its result and output folder. */
  async build(given: BuildInput): Promise<{ ended: BuildResult; workshop: string }> {
    const builder = startBuilder({ nice: this.#backoff.nice, ...given });
    this.#builder = builder;
    const ended = await builder.ended;
    this.#builder = null;
    if ('failed' in ended) this.failed();
    else this.#failures = 0;
    return { ended, workshop: builder.workshop };
  }

  /** Marks the result as unusable. */
  failed(): void {
    const { first_ms, last_ms } = this.#backoff;
    this.#notBefore = performance.now() + Math.min(last_ms, first_ms * 2 ** this.#failures);
    this.#failures++;
  }

  /** Stops the running builder and resolves when its process has exited. */
  async kill(): Promise<void> {
    this.#builder?.kill();
    await this.#builder?.ended;
  }
}
