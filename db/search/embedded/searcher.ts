import type { Logger } from 'pino';
import { SearcherPort } from './searcher-port.ts';

const stable_after_ms = 60_000;
const max_pause_ms = 30_000;

/** Keeps a searcher thread running: restarts it with backoff when it dies; a new thread is empty. */
export class Searcher {
  readonly #log: Logger;
  #port: SearcherPort | null = null;
  #crashes = 0;
  #pause: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(log: Logger) {
    this.#log = log;
    this.#start();
  }

  /** The running thread, null while there is none. */
  get port(): SearcherPort | null {
    return this.#port?.exited ? null : this.#port;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#pause);
    await this.#port?.end();
  }

  #start(): void {
    const started_at = performance.now();
    const port = new SearcherPort(this.#log);
    this.#port = port;
    void port.ended.then(() => this.#ended(performance.now() - started_at));
  }

  #ended(lived_ms: number): void {
    this.#port = null;
    if (this.#closed) return;
    this.#crashes = lived_ms > stable_after_ms ? 1 : this.#crashes + 1;
    const pause_ms = Math.min(max_pause_ms, 100 * 2 ** this.#crashes);
    this.#log.warn({ pause_ms }, 'The searcher thread died; restarting it, Postgres answers meanwhile');
    this.#pause = setTimeout(() => this.#start(), pause_ms);
  }
}
