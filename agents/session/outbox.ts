import type { Logger } from 'pino';
import { Backoff } from '#db/platform/runtime/backoff.ts';
import { eventsWithin } from '../state/event-size.ts';
import type { StateStore } from '../state/store.ts';
import type { AgentSocket } from './client.ts';

const max_events = 200;
/** Maximum of one batch as JSON, well below the limit of a message. */
const max_batch_bytes = 256 * 1024;
const ack_timeout_ms = 20_000;
const retry_bounds = { min_ms: 500, max_ms: 15_000 };

/** Sends events in order until the control plane acknowledges them: nothing is dropped before. */
export class Outbox {
  readonly #store: StateStore;
  readonly #log: Logger;
  #session: { socket: AgentSocket; lease: number } | null = null;
  #sending = false;
  readonly #pauses = new Backoff(retry_bounds);
  #timer: NodeJS.Timeout | undefined;

  constructor(journal: StateStore, log: Logger) {
    [this.#store, this.#log] = [journal, log];
  }

  /** Starts sending over a session, or stops with null. */
  attach(session: { socket: AgentSocket; lease: number } | null): void {
    this.#session = session;
    this.#pauses.reset();
    clearTimeout(this.#timer);
    this.flush();
  }

  /** Sends what is waiting. */
  flush(): void {
    if (this.#session && !this.#sending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    let failed = false;
    while (this.#session && !failed) {
      const { socket, lease } = this.#session;
      const events = eventsWithin(this.#store.events.next(max_events), max_batch_bytes);
      if (events.length === 0) break;
      try {
        const answer = await socket
          .timeout(ack_timeout_ms)
          .emitWithAck('events.push', { lease, stream_id: this.#store.stream_id, events });
        if (answer.ok) this.#store.events.acknowledge(answer.seq);
        else this.#log.warn({ error: answer.error }, 'The control plane rejected events');
        failed = !answer.ok || answer.seq < (events[0]?.seq ?? 0);
      } catch {
        failed = true; // disconnected: they are sent after the next connect
      }
    }
    this.#sending = false;
    if (!failed) {
      this.#pauses.reset();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), this.#pauses.next());
    this.#timer.unref();
  }
}
