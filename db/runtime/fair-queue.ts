import type { Queue, QueueAddOptions } from 'p-queue';

type Run = () => Promise<unknown>;

export interface ClientOptions extends QueueAddOptions {
  /** Whose work it is; work without a client has a turn of its own. */
  client?: string;
}

interface Waiting {
  id: string;
  run: Run;
}

/** The waiting work of a PQueue: clients take turns, round robin; the work of one client starts in order. */
export class FairQueue implements Queue<Run, ClientOptions> {
  /** The work of each client; the client whose turn is next comes first. */
  readonly #clients = new Map<string, Waiting[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  enqueue(run: Run, { client = '', id = '' }: Partial<ClientOptions> = {}): void {
    const waiting = this.#clients.get(client) ?? [];
    waiting.push({ id, run });
    this.#clients.set(client, waiting);
    this.#size += 1;
  }

  dequeue(): Run | undefined {
    const [first] = this.#clients;
    if (!first) return undefined;
    const [client, waiting] = first;
    const next = waiting.shift();
    this.#clients.delete(client);
    if (waiting.length > 0) this.#clients.set(client, waiting); // behind the others
    this.#size -= 1;
    return next?.run;
  }

  /** The waiting work of one client. */
  filter({ client = '' }: Readonly<Partial<ClientOptions>>): Run[] {
    return (this.#clients.get(client) ?? []).map(({ run }) => run);
  }

  remove(id: string): void {
    for (const [client, waiting] of this.#clients) {
      const index = waiting.findIndex((one) => one.id === id);
      if (index === -1) continue;
      waiting.splice(index, 1);
      if (waiting.length === 0) this.#clients.delete(client);
      this.#size -= 1;
      return;
    }
  }

  /** Turns are by client: there are no priorities. */
  setPriority(): void {}
}
