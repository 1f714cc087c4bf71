import { FileError } from './file-error.ts';

/** Lets so many run at once and so many wait, in the order they came. */
export class Slots {
  readonly #max_running: number;
  readonly #max_waiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max_running: number, max_waiting: number) {
    [this.#max_running, this.#max_waiting] = [max_running, max_waiting];
  }

  /** Refuses `busy` when too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max_running) this.#running++;
    else {
      if (this.#waiting.length >= this.#max_waiting) throw new FileError('busy');
      // the one that ends leaves its place
      await new Promise<void>((go) => this.#waiting.push(go));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
