import type { Logger } from 'pino';
import { eventsWithin } from './event-size.ts';
import type { Journal } from './journal/journal.ts';
import type { AgentSocket } from './link.ts';

const max_events = 200;
/** Of one batch as JSON, well below what a message may have. */
const max_batch_bytes = 256 * 1024;
const answer_ms = 20_000;
const least_ms = 500;
const most_ms = 15_000;

/** Sends events in their order until the plane has them: nothing is dropped before it says so. */
export class Outbox {
  readonly #journal: Journal;
  readonly #log: Logger;
  #line: { socket: AgentSocket; lease: number } | null = null;
  #sending = false;
  #wait = least_ms;
  #timer: NodeJS.Timeout | undefined;

  constructor(journal: Journal, log: Logger) {
    [this.#journal, this.#log] = [journal, log];
  }

  /** The plane is there under this lease, or away. */
  line(line: { socket: AgentSocket; lease: number } | null): void {
    this.#line = line;
    this.#wait = least_ms;
    clearTimeout(this.#timer);
    this.kick();
  }

  /** There may be something to send. */
  kick(): void {
    if (this.#line && !this.#sending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    let failed = false;
    while (this.#line && !failed) {
      const { socket, lease } = this.#line;
      const events = eventsWithin(this.#journal.events.next(max_events), max_batch_bytes);
      if (events.length === 0) break;
      try {
        const answer = await socket
          .timeout(answer_ms)
          .emitWithAck('events.push', { lease, stream_id: this.#journal.stream_id, events });
        if (answer.ok) this.#journal.events.taken(answer.seq);
        else this.#log.warn({ error: answer.error }, 'The control plane did not take events');
        failed = !answer.ok || answer.seq < (events[0]?.seq ?? 0);
      } catch {
        failed = true; // away: they are sent when it is back
      }
    }
    this.#sending = false;
    if (!failed) {
      this.#wait = least_ms;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.kick(), this.#wait);
    this.#timer.unref();
    this.#wait = Math.min(this.#wait * 2, most_ms);
  }
}
