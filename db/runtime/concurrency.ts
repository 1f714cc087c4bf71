import { Refused } from '../errors.ts';
import { clientKey, requester } from './requester.ts';

/** Too much waits already, it waited too long, or its client left: `busy` (503, Retry-After 1). */
export class QueueFull extends Refused {
  constructor() {
    super('busy');
  }
}

interface Bounds {
  /** How much work runs at once. */
  max_running: number;
  /** How much more waits. */
  max_waiting: number;
  /** How long it waits at most. */
  timeout_ms: number;
}

/** Who asks for work. */
export interface Asking {
  /** Clients take turns; work without one ('') has no bound of its own. */
  client: string;
  /** Aborted when nobody wants the result any more. */
  signal?: AbortSignal | undefined;
}

interface Waiting {
  begin(): void;
}

/**
 * Runs a bounded amount of work at once; more waits for its turn. Clients take turns, round robin. One client never has the
 * last place that runs (unless there is only one), and at most a quarter of those that wait; work whose client left is
 * dropped before it begins. So a flood from one account or network leaves the others their turns. Source: search §5 (queue).
 */
export class ConcurrencyLimiter {
  readonly #bounds: Bounds;
  readonly #of_client: { running: number; waiting: number };
  #running = 0;
  #waiting = 0;
  readonly #runningOf = new Map<string, number>();
  /** What waits, by client; the client whose turn is next comes first. */
  readonly #turns = new Map<string, Set<Waiting>>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#of_client = {
      running: Math.max(1, bounds.max_running - 1),
      waiting: Math.ceil(bounds.max_waiting / 4),
    };
  }

  /** How much work waits for its turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Gives what `work` gives, for the requester of this moment unless `asking` says otherwise: what several share is for none
   * of them alone. Refuses `busy` (`QueueFull`) when the queue is full, the wait too long or the client gone.
   */
  async run<T>(work: () => Promise<T>, asking: Asking = requesterAsking()): Promise<T> {
    const { client } = asking;
    if (asking.signal?.aborted) throw new QueueFull();
    if (this.#mayBegin(client)) this.#enter(client);
    else await this.#turn(asking);
    try {
      return await work();
    } finally {
      this.#leave(client);
    }
  }

  #mayBegin(client: string): boolean {
    if (this.#running >= this.#bounds.max_running) return false;
    return client === '' || (this.#runningOf.get(client) ?? 0) < this.#of_client.running;
  }

  #enter(client: string): void {
    this.#running += 1;
    this.#runningOf.set(client, (this.#runningOf.get(client) ?? 0) + 1);
  }

  #leave(client: string): void {
    this.#running -= 1;
    const left = this.#runningOf.get(client)! - 1;
    if (left === 0) this.#runningOf.delete(client);
    else this.#runningOf.set(client, left);
    this.#beginNext();
  }

  /** Begins what may begin now, by turns. */
  #beginNext(): void {
    for (const [client, waiting] of this.#turns) {
      if (this.#running >= this.#bounds.max_running) return;
      if (!this.#mayBegin(client)) continue;
      const [next] = waiting;
      this.#turns.delete(client);
      this.#turns.set(client, waiting); // behind the others
      next!.begin();
    }
  }

  /** Waits for the turn of the client. */
  async #turn({ client, signal }: Asking): Promise<void> {
    const own = this.#turns.get(client) ?? new Set();
    const isFull = client !== '' && own.size >= this.#of_client.waiting;
    if (isFull || this.#waiting >= this.#bounds.max_waiting) throw new QueueFull();
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        begin: () => {
          end();
          this.#enter(client);
          resolve();
        },
      };
      const giveUp = () => {
        end();
        reject(new QueueFull());
      };
      const timer = setTimeout(giveUp, this.#bounds.timeout_ms);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting -= 1;
        own.delete(one);
        if (own.size === 0) this.#turns.delete(client);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      own.add(one);
      this.#turns.set(client, own);
      this.#waiting += 1;
    });
  }
}

const requesterAsking = (): Asking => ({ client: clientKey(), signal: requester()?.left?.() });
