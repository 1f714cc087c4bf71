import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Kind, Messages, Request, Response } from './thread-protocol.ts';

/** The thread is dead or does not answer: use the fallback. */
export class WorkerGone extends Error {}
/** The thread failed at this request; it continues. */
export class WorkerFailed extends Error {}

interface Open {
  settle(answer: never): void;
  fail(error: Error): void;
  /** Timeout; after it the thread counts as stuck. */
  until: number;
}

interface Options {
  script: URL;
  timeout_ms: number;
}
const defaults: Options = { script: new URL('./searcher-thread.ts', import.meta.url), timeout_ms: 5_000 };
/** Timeout for loading files, which depends on the disk. */
const loading_ms = 120_000;
const check_ms = 250;

/** One searcher thread with its pending requests as promises. It is killed when it does not answer for 5 s. */
export class SearcherPort {
  readonly #log: Logger;
  readonly #worker: Worker;
  readonly #timeout_ms: number;
  readonly #open = new Map<number, Open>();
  readonly #watch: NodeJS.Timeout;
  #last = 0;
  #checked = performance.now();
  #exited = false;
  /** Resolves when the thread has exited. */
  readonly ended: Promise<void>;

  constructor(log: Logger, { script, timeout_ms }: Options = defaults) {
    this.#log = log;
    this.#timeout_ms = timeout_ms;
    this.#worker = new Worker(script, { execArgv: [] });
    this.#worker.on('message', (response: Response) => this.#answered(response));
    this.#worker.on('error', (err) => log.error({ err }, 'The searcher thread failed'));
    this.#watch = setInterval(() => this.#check(), check_ms);
    this.#watch.unref();
    this.ended = new Promise((done) => {
      this.#worker.once('exit', () => {
        this.#leave();
        done();
      });
    });
  }

  /** Whether the thread is dead. */
  get exited(): boolean {
    return this.#exited;
  }

  /** Rejects with `WorkerGone` when the thread is or becomes dead, with `WorkerFailed` when it could not answer. */
  request<K extends Kind>(kind: K, request: Messages[K]['asked']): Promise<Messages[K]['answer']> {
    return new Promise((settle, fail) => {
      if (this.#exited) return fail(new WorkerGone('The searcher ended'));
      const id = ++this.#last;
      const until = performance.now() + (kind === 'load' ? loading_ms : this.#timeout_ms);
      this.#open.set(id, { settle: settle as Open['settle'], fail, until });
      this.#worker.postMessage({ id, kind, ...request } as Request);
    });
  }

  /** Kills the thread. */
  async end(): Promise<void> {
    this.#leave();
    await this.#worker.terminate();
  }

  #leave(): void {
    this.#exited = true;
    clearInterval(this.#watch);
    for (const { fail } of this.#open.values()) fail(new WorkerGone('The searcher ended'));
    this.#open.clear();
  }

  #answered(response: Response): void {
    const open = this.#open.get(response.id);
    this.#open.delete(response.id);
    if ('error' in response) open?.fail(new WorkerFailed(response.error));
    else open?.settle(response.answer as never);
  }

  #check(): void {
    const now = performance.now();
    const timer = now - this.#checked > 4 * check_ms; // this thread was blocked itself: responses may be waiting to be read
    this.#checked = now;
    if (timer || ![...this.#open.values()].some(({ until }) => until < now)) return;
    this.#log.error('The searcher thread does not answer; restarting it');
    void this.end();
  }
}
