import { Refused } from '../errors.ts';

interface Bounds {
  running: number;
  waiting: number;
  timeout_ms: number;
}

/**
 * Limits concurrency to `running`. Up to `waiting` more wait, none longer than `patience_ms`. Waiting work is
 * scheduled by client, round robin, and one client has at most a quarter of the queue, so that a flood from one
 * network does not starve the others. Beyond these limits it refuses `busy` (503, Retry-After 1). Source: search §5
 * (queue).
 */
export class Gate {
  readonly #bounds: Bounds;
  /** One queue per client, in round robin order: the next client is first. */
  readonly #queues = new Map<string, Array<() => void>>();
  #running = 0;
  #waiting = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Number of queued pieces of work. */
  get waiting(): number {
    return this.#waiting;
  }

  async run<T>(work: () => Promise<T>, client?: string): Promise<T> {
    await this.#enter(client);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#next();
    }
  }

  #next(): void {
    const [first] = this.#queues;
    if (!first) return;
    const [client, queue] = first;
    const turn = queue.shift();
    this.#queues.delete(client);
    if (queue.length > 0) this.#queues.set(client, queue); // moves the client to the end of the rotation
    turn?.();
  }

  async #enter(client = ''): Promise<void> {
    const { running, waiting, timeout_ms } = this.#bounds;
    if (this.#running < running) {
      this.#running++;
      return;
    }
    const queue = this.#queues.get(client) ?? [];
    const full = this.#waiting >= waiting || (client !== '' && queue.length >= Math.ceil(waiting / 4));
    if (full) throw new Refused('busy');
    await new Promise<void>((enter, refuse) => {
      const turn = () => {
        clearTimeout(timer);
        this.#waiting--;
        this.#running++;
        enter();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(turn), 1);
        if (queue.length === 0) this.#queues.delete(client);
        this.#waiting--;
        refuse(new Refused('busy'));
      }, timeout_ms);
      queue.push(turn);
      this.#queues.set(client, queue);
      this.#waiting++;
    });
  }
}
