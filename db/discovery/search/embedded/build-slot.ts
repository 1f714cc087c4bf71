import { Backoff } from '../../../platform/runtime/backoff.ts';
import { type Builder, startBuilder } from './builder.ts';
import type { BuildInput, BuildResult } from './builder-protocol.ts';

export interface BuildLimits {
  /** The `nice` value of builder processes. */
  nice: number;
  first_ms: number;
  last_ms: number;
}

/** Runs one builder at a time; after a failure the next may start with exponential backoff. */
export class BuildSlot {
  readonly #nice: number;
  readonly #pauses: Backoff;
  #builder: Builder | null = null;
  #notBefore = 0;

  constructor({ nice, first_ms, last_ms }: BuildLimits) {
    this.#nice = nice;
    this.#pauses = new Backoff({ min_ms: first_ms, max_ms: last_ms });
  }

  /** Whether a builder may start now. */
  get free(): boolean {
    return !this.#builder && performance.now() >= this.#notBefore;
  }

  /** Starts a builder and reports its result and output folder. */
  async build(given: BuildInput): Promise<{ ended: BuildResult; workshop: string }> {
    const builder = startBuilder({ nice: this.#nice, ...given });
    this.#builder = builder;
    const ended = await builder.ended;
    this.#builder = null;
    if ('failed' in ended) this.failed();
    else this.#pauses.reset();
    return { ended, workshop: builder.workshop };
  }

  /** Marks the result as unusable. */
  failed(): void {
    this.#notBefore = performance.now() + this.#pauses.next();
  }

  /** Stops the running builder and resolves when its process has exited. */
  async kill(): Promise<void> {
    this.#builder?.kill();
    await this.#builder?.ended;
  }
}
