import { FileError } from './file-error.ts';

/**
 * Lets so many run at once and so many wait, in the order they came. Not `ConcurrencyLimiter`, which gives clients their turns:
 * an agent knows none of them, refuses by a `FileError`, and ends a wait with the reason that its signal gives.
 */
export class Slots {
  readonly #max_running: number;
  readonly #max_waiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max_running: number, max_waiting: number) {
    [this.#max_running, this.#max_waiting] = [max_running, max_waiting];
  }

  /** Refuses `busy` when too many wait; while it waits, `signal` ends it with its reason. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.#max_running) this.#running++;
    else {
      if (this.#waiting.length >= this.#max_waiting) throw new FileError('busy');
      await this.#turn(signal);
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** The one that ends leaves its place to the one that waits longest. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((go, fail) => {
      const turn = () => {
        signal?.removeEventListener('abort', leave);
        go();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        fail(signal?.reason);
      };
      this.#waiting.push(turn);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
