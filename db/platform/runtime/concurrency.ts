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
  /** How long it waits at most; without it, until its turn comes. */
  timeout_ms?: number;
}

/** Who asks for work. */
export interface Asking {
  /** Clients take turns; work without one ('') has no bound of its own. */
  client: string;
  /** Aborted when nobody wants the result any more. */
  signal?: AbortSignal | undefined;
}

interface Waiting {
  /** The network it is asked from; the client where none is known. */
  network: string;
  begin(): void;
}

/**
 * Runs a bounded amount of work at once; more waits for its turn. Clients take turns, round robin, and networks with them: next
 * is whose account and network were served longest ago. One client never has the last place that runs (unless there is only
 * one), and at most a quarter of those that wait, a network half of them; work whose client left is dropped before it begins. So
 * a flood from one account, or from many accounts of one network, leaves the others their turns. Source: search §5 (queue).
 */
export class ConcurrencyLimiter {
  readonly #bounds: Bounds;
  readonly #of_client: { running: number; waiting: number };
  readonly #of_network: { waiting: number };
  #running = 0;
  #waiting = 0;
  readonly #runningOf = new Map<string, number>();
  /** What waits, by client, in the order they came. */
  readonly #turns = new Map<string, Set<Waiting>>();
  /** How much waits, by network. */
  readonly #waitingOf = new Map<string, number>();
  /** When a client or network that waits for more was served last, in turns. */
  readonly #served = { client: new Map<string, number>(), network: new Map<string, number>() };
  #turn_number = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#of_client = {
      running: Math.max(1, bounds.max_running - 1),
      waiting: Math.ceil(bounds.max_waiting / 4),
    };
    this.#of_network = { waiting: Math.ceil(bounds.max_waiting / 2) };
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
    for (let next = this.#next(); next; next = this.#next()) next.begin();
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let longest_ago = Number.POSITIVE_INFINITY;
    for (const [client, [first]] of this.#turns) {
      if (!this.#mayBegin(client)) continue;
      const { client: clients, network: networks } = this.#served;
      const served = Math.max(clients.get(client) ?? 0, networks.get(first!.network) ?? 0);
      if (served < longest_ago) [next, longest_ago] = [first, served];
    }
    return next;
  }

  /** Waits for the turn of the client. */
  async #turn({ client, signal }: Asking): Promise<void> {
    const network = requester()?.network || client;
    const own = this.#turns.get(client) ?? new Set();
    const together = this.#waitingOf.get(network) ?? 0;
    const isFull = own.size >= this.#of_client.waiting || together >= this.#of_network.waiting;
    if ((client !== '' && isFull) || this.#waiting >= this.#bounds.max_waiting) throw new QueueFull();
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        network,
        begin: () => {
          this.#turn_number += 1;
          this.#served.client.set(client, this.#turn_number);
          this.#served.network.set(network, this.#turn_number);
          end();
          this.#enter(client);
          resolve();
        },
      };
      const giveUp = () => {
        end();
        reject(new QueueFull());
      };
      const { timeout_ms } = this.#bounds;
      const timer = timeout_ms === undefined ? undefined : setTimeout(giveUp, timeout_ms);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        own.delete(one);
        this.#stopWaiting(client, network);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      own.add(one);
      this.#turns.set(client, own);
      this.#waitingOf.set(network, (this.#waitingOf.get(network) ?? 0) + 1);
      this.#waiting += 1;
    });
  }

  /** One less waits. Whoever waits for nothing more is forgotten. */
  #stopWaiting(client: string, network: string): void {
    this.#waiting -= 1;
    if (this.#turns.get(client)!.size === 0) {
      this.#turns.delete(client);
      this.#served.client.delete(client);
    }
    const left = this.#waitingOf.get(network)! - 1;
    if (left > 0) this.#waitingOf.set(network, left);
    else {
      this.#waitingOf.delete(network);
      this.#served.network.delete(network);
    }
  }
}

const requesterAsking = (): Asking => ({ client: clientKey(), signal: requester()?.left?.() });
