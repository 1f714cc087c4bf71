import { max_batch_lines, max_unacked_batches } from '#control/protocol/agent.ts';
import type { ConsoleLine } from '#control/protocol/console.ts';
import type { LineBuffer } from './line-buffer.ts';

/** Batches sent at once: a line that follows closely does not wait for the acknowledgement of the one before. */
const max_immediate = 2;
/** Lines that arrive while those are in flight are sent together: at the next acknowledgement, or after this time. */
const batch_window_ms = 15;
/** Bytes of a batch as JSON, below the limit of a message. */
const max_batch_bytes = 128 * 1024;
/** Lines from before that a new viewer receives. */
const backlog = 500;
/** Pause before a batch that was not acknowledged is sent again. */
const retry_ms = 1_000;

export interface Batch {
  epoch: string;
  /** Lines between `from` and the first one are lost. */
  from: number;
  lines: ConsoleLine[];
}

/**
 * Sends the lines of one console while it has viewers. At most `max_unacked_batches` batches wait for their
 * acknowledgement; after that lines stay in the buffer. Lines that the buffer dropped are a gap. `send` gives whether
 * the batch was acknowledged. Source: hosting §5.4.
 */
export class ConsoleSender {
  readonly #console: { buffer: LineBuffer; epoch: string | null };
  readonly #send: (batch: Batch) => Promise<boolean>;
  #watched = false;
  #epoch: string | null = null;
  #position = 1;
  #acked = 1;
  #in_flight = 0;
  #round = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    console: { buffer: LineBuffer; epoch: string | null },
    send: (batch: Batch) => Promise<boolean>,
  ) {
    this.#console = console;
    this.#send = send;
  }

  /** Whether the console has viewers. Begins after the acknowledged lines, or with the newest lines. */
  watch(on: boolean): void {
    if (on === this.#watched) return;
    this.#watched = on;
    if (on) this.resend();
  }

  /** The control plane is connected again: sends what it did not acknowledge. */
  resend(): void {
    this.#round += 1;
    this.#in_flight = 0;
    const { buffer, epoch } = this.#console;
    if (this.#epoch !== epoch) this.#acked = 1;
    this.#epoch = epoch;
    this.#position = Math.max(this.#acked, buffer.next - backlog, 1);
    this.#flush();
  }

  /** The buffer has more lines. */
  onLines(): void {
    if (!this.#watched) return;
    if (this.#in_flight < max_immediate) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), batch_window_ms);
  }

  stop(): void {
    this.#watched = false;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { buffer, epoch } = this.#console;
    if (!this.#watched || !epoch) return;
    if (epoch !== this.#epoch) {
      // another run of the process: acknowledgements of the one before no longer count
      [this.#epoch, this.#position, this.#acked, this.#in_flight] = [epoch, 1, 1, 0];
      this.#round += 1;
    }
    while (this.#in_flight < max_unacked_batches && this.#position < buffer.next) this.#batch(buffer, epoch);
  }

  #batch(buffer: LineBuffer, epoch: string): void {
    const lines = takeWithinBytes(buffer.from(this.#position, max_batch_lines));
    const [from, round] = [this.#position, this.#round];
    const end = (lines.at(-1)?.seq ?? from) + 1;
    this.#position = end;
    this.#in_flight += 1;
    void this.#send({ epoch, from, lines }).then((acked) => {
      if (round !== this.#round) return;
      this.#in_flight -= 1;
      if (!acked) {
        setTimeout(() => round === this.#round && this.resend(), retry_ms).unref();
        return;
      }
      this.#acked = Math.max(this.#acked, end);
      this.#flush();
    });
  }
}

/** As many of `lines` as take at most `max_bytes` as JSON, at least one. */
export function takeWithinBytes(lines: ConsoleLine[], max_bytes = max_batch_bytes): ConsoleLine[] {
  let bytes = 0;
  const end = lines.findIndex(({ text }, index) => {
    // escaped, a control character takes six bytes
    bytes += Buffer.byteLength(JSON.stringify(text)) + 80;
    return bytes > max_bytes && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
