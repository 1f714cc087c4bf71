import PQueue from 'p-queue';
import { Refused } from '../errors.ts';
import { type ClientOptions, FairQueue } from './fair-queue.ts';

/** Too much waits already, or it waited too long: `busy` (503, Retry-After 1). */
export class QueueFull extends Refused {
  constructor() {
    super('busy');
  }
}

interface Bounds {
  /** How much work runs at once. */
  max_running: number;
  /** How much more waits; without bound unless given. */
  max_waiting?: number;
  /** How long it waits at most; without bound unless given. */
  timeout_ms?: number;
}

/**
 * Runs a bounded amount of work at once; more waits in a queue. Clients take turns, round robin, and one client has at
 * most a quarter of the queue, so that a flood from one network leaves the others their turns. Source: search §5 (queue).
 */
export class ConcurrencyLimiter {
  readonly #queue: PQueue<FairQueue, ClientOptions>;
  readonly #max_waiting: number;
  readonly #timeout_ms: number | undefined;

  constructor({ max_running, max_waiting = Infinity, timeout_ms }: Bounds) {
    this.#queue = new PQueue({ concurrency: max_running, queueClass: FairQueue });
    this.#max_waiting = max_waiting;
    this.#timeout_ms = timeout_ms;
  }

  /** How much work waits for its turn. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Gives what `work` gives. Refuses `busy` (`QueueFull`) when the queue is full or the wait too long. */
  async run<T>(work: () => Promise<T>, client = ''): Promise<T> {
    if (this.#queue.pending < this.#queue.concurrency) return await this.#queue.add(work, { client });
    const max_of_client = client === '' ? Infinity : Math.ceil(this.#max_waiting / 4);
    if (this.waiting >= this.#max_waiting || this.#queue.sizeBy({ client }) >= max_of_client)
      throw new QueueFull();
    if (this.#timeout_ms === undefined) return await this.#queue.add(work, { client });
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(new QueueFull()), this.#timeout_ms);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    return await this.#queue.add(begin, { client, signal: tooLong.signal });
  }
}
