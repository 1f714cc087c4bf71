import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Kind, Messages, Request, Response } from './thread-protocol.ts';

/** The thread that was asked is gone, or does not answer: somebody else must. */
export class WorkerGone extends Error {}
/** The thread failed at this request; it goes on. */
export class WorkerFailed extends Error {}

interface Open {
  settle(answer: never): void;
  fail(error: Error): void;
  /** Unanswered then, the thread is stuck. */
  until: number;
}

interface Options {
  script: URL;
  timeout_ms: number;
}
const defaults: Options = { script: new URL('./searcher-thread.ts', import.meta.url), timeout_ms: 5_000 };
/** Reading files takes as long as the disk does. */
const loading_ms = 120_000;
const check_ms = 250;

/** One searcher thread and what it was asked: a promise per request. It is ended when it does not answer for 5 s. */
export class SearcherPort {
  readonly #log: Logger;
  readonly #worker: Worker;
  readonly #timeout_ms: number;
  readonly #open = new Map<number, Open>();
  readonly #watch: NodeJS.Timeout;
  #last = 0;
  #checked = performance.now();
  #exited = false;
  /** Settles when the thread has ended. */
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

  /** Whether it answers nothing any more. */
  get exited(): boolean {
    return this.#exited;
  }

  /** Refuses `WorkerGone` when the thread ended or ends first, `WorkerFailed` when it could not answer. */
  request<K extends Kind>(kind: K, request: Messages[K]['asked']): Promise<Messages[K]['answer']> {
    return new Promise((settle, fail) => {
      if (this.#exited) return fail(new WorkerGone('The searcher ended'));
      const id = ++this.#last;
      const until = performance.now() + (kind === 'load' ? loading_ms : this.#timeout_ms);
      this.#open.set(id, { settle: settle as Open['settle'], fail, until });
      this.#worker.postMessage({ id, kind, ...request } as Request);
    });
  }

  /** Ends the thread at once. */
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
    const timer = now - this.#checked > 4 * check_ms; // we stood still ourselves: answers may lie there unread
    this.#checked = now;
    if (timer || ![...this.#open.values()].some(({ until }) => until < now)) return;
    this.#log.error('The searcher thread does not answer and is ended');
    void this.end();
  }
}
