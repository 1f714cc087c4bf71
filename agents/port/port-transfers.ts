import { randomUUID } from 'node:crypto';
import type { TransferRefusal } from '#control/protocol/transfers.ts';
import { PortRefusal, planeAway } from './refusal.ts';

/** Takes the bytes that an operation sends, until `signal` ends it; gives how many they were. */
export type LocalSink = (body: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<number>;

/** A transfer at the port, from the question to the control plane to its end. */
interface PortTransfer {
  id: string;
  /** Aborted with why it is refused. */
  signal: AbortSignal;
  /** Where an operation sends its bytes, as its argument `put`. */
  put: string;
  close(): void;
}

/** The transfers at the port that go on. Each ends with the connection to the control plane, which watches the right to it. */
export class PortTransfers {
  readonly #open = new Map<string, AbortController>();
  readonly #sinks = new Map<string, LocalSink>();

  /** A transfer that begins; `sink` takes what an operation brings. */
  open(sink?: LocalSink): PortTransfer {
    const [id, end] = [randomUUID(), new AbortController()];
    const put = `/own?to=${randomUUID()}`;
    this.#open.set(id, end);
    if (sink) this.#sinks.set(put, sink);
    const close = () => {
      this.#open.delete(id);
      this.#sinks.delete(put);
    };
    return { id, signal: end.signal, put, close };
  }

  /** What waits for the bytes of an operation at this agent; null when they go to the control plane. */
  sinkAt(put: string): LocalSink | null {
    return this.#sinks.get(put) ?? null;
  }

  cut(id: string, why: TransferRefusal): void {
    this.#open.get(id)?.abort(new PortRefusal(why));
  }

  /** The control plane is away. */
  cutAll(): void {
    for (const end of this.#open.values()) end.abort(planeAway());
  }
}
