import { Refused } from '../errors.ts';

/**
 * Lets `running` pieces of work run at once; up to `waiting` more wait, none longer than `patience_ms`. Beyond that it
 * refuses `busy` (503, Retry-After 1). Source: search §5 (queue).
 */
export class Gate {
  readonly #bounds: { running: number; waiting: number; patience_ms: number };
  readonly #queue: Array<() => void> = [];
  #running = 0;

  constructor(bounds: { running: number; waiting: number; patience_ms: number }) {
    this.#bounds = bounds;
  }

  /** How many wait to be let through. */
  get waiting(): number {
    return this.#queue.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#running--;
      this.#queue.shift()?.();
    }
  }

  async #enter(): Promise<void> {
    const { running, waiting, patience_ms } = this.#bounds;
    if (this.#running < running) {
      this.#running++;
      return;
    }
    if (this.#queue.length >= waiting) throw new Refused('busy');
    await new Promise<void>((enter, refuse) => {
      const turn = () => {
        clearTimeout(timer);
        this.#running++;
        enter();
      };
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(turn), 1);
        refuse(new Refused('busy'));
      }, patience_ms);
      this.#queue.push(turn);
    });
  }
}
