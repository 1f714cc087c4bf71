import type { Logger } from 'pino';
import { Backoff } from '../../../platform/runtime/backoff.ts';
import { SearcherPort } from './searcher-port.ts';

const stable_after_ms = 60_000;
const pause_bounds = { min_ms: 200, max_ms: 30_000 };

/** Keeps a searcher thread running: restarts it with backoff when it dies; a new thread is empty. */
export class Searcher {
  readonly #log: Logger;
  #port: SearcherPort | null = null;
  readonly #pauses = new Backoff(pause_bounds);
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
    if (lived_ms > stable_after_ms) this.#pauses.reset();
    const pause_ms = Math.round(this.#pauses.next());
    this.#log.warn({ pause_ms }, 'The searcher thread died; restarting it, Postgres answers meanwhile');
    this.#pause = setTimeout(() => this.#start(), pause_ms);
  }
}
