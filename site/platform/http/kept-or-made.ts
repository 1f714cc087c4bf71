import type { Freshness, Making } from './freshness.ts';
import { SingleFlight } from './page-cache/single-flight.ts';

const max_attempts = 3;

/** What was made for all who ask for it. */
export interface Made<Value> {
  value: Value;
  tags: readonly string[];
  /** Keeps it for those who ask later. Called only when nothing that it shows changed while it was made. */
  keep(): void;
}

interface Asked<Value> {
  key: string;
  find(): Value | null | Promise<Value | null>;
  /** Null: whoever asked has to answer without it. */
  make(making: Making): Promise<Made<Value> | null>;
  /** Asked before each making. */
  mayMake?(): boolean;
  /** Whether whoever asked may get it. */
  fits?(value: Value): boolean;
}

/**
 * Finds what is kept, else makes it once for all who ask for it meanwhile. What changed while it was made is made again, a few
 * times at most.
 */
export class KeptOrMade<Value> {
  readonly #freshness: Freshness;
  readonly #running = new SingleFlight<{ value: Value; outdated: boolean } | null>();
  hits = 0;
  misses = 0;

  constructor(freshness: Freshness) {
    this.#freshness = freshness;
  }

  /** Null: whoever asked has to answer without it. */
  async get({
    key,
    find,
    make,
    mayMake = () => true,
    fits = () => true,
  }: Asked<Value>): Promise<Value | null> {
    for (let attempt = 0; attempt < max_attempts; attempt++) {
      if (!(await this.#freshness.isInSync())) return null;
      const found = await find();
      if (found) {
        if (!fits(found)) return null;
        this.hits += 1;
        return found;
      }
      if (!mayMake()) return null;
      this.misses += 1;
      const made = await this.#running.run(key, () => this.#make(make));
      if (!made || !fits(made.value)) return null;
      if (!made.outdated) return made.value;
    }
    return null;
  }

  async #make(make: Asked<Value>['make']): Promise<{ value: Value; outdated: boolean } | null> {
    const making = this.#freshness.begin();
    try {
      const made = await make(making);
      if (!made) return null;
      const outdated = !(await this.#freshness.sync()) || making.isOutdated(made.tags);
      if (!outdated) made.keep();
      return { value: made.value, outdated };
    } finally {
      making.end();
    }
  }
}
