/** Runs work once for all who ask for the same key meanwhile. */
export class SingleFlight<Result> {
  readonly #running = new Map<string, Promise<Result>>();
  readonly #onIdle: () => void;

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    let running = this.#running.get(key);
    if (!running) {
      running = work().finally(() => {
        this.#running.delete(key);
        if (this.isIdle) this.#onIdle();
      });
      this.#running.set(key, running);
    }
    return running;
  }
}
