/** Runs work once for all who ask for the same key meanwhile. */
export class SingleFlight<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    let running = this.#running.get(key);
    if (!running) {
      running = work().finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }
}
