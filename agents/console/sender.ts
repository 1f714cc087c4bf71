import { max_batch_lines, max_unacked_batches } from '#control/protocol/agent.ts';
import type { ConsoleLine } from '#control/protocol/console.ts';
import type { LineBuffer } from './line-buffer.ts';

/** So many travel at once, since a command and the answer to it come as two. */
const max_immediate = 2;
/** What comes while those are on their way travels together: when one is acked, or after this time. */
const batch_window_ms = 15;
/** Bytes a batch: escaped for the wire it stays below the most one message may have. */
const max_batch_bytes = 128 * 1024;
/** What somebody who begins to look is sent of what was said before. */
const backlog = 500;
/** Until a batch that was not acked is sent again. */
const retry_ms = 1_000;

export interface Batch {
  epoch: string;
  /** Lines between `from` and the first one are lost. */
  from: number;
  lines: ConsoleLine[];
}

/**
 * Sends one console's lines while somebody looks: at most `max_unacked_batches` batches wait to be acked, then the buffer keeps
 * what comes; what the buffer lost is told as a gap. `send` gives whether the batch was acked. Source: hosting §5.4.
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

  /** Whether lines are wanted. Begins after what was acked before, or with the newest lines. */
  watch(on: boolean): void {
    if (on === this.#watched) return;
    this.#watched = on;
    if (on) this.resend();
  }

  /** The plane is there again: what it did not take is sent once more. */
  resend(): void {
    this.#round += 1;
    this.#in_flight = 0;
    const { buffer, epoch } = this.#console;
    if (this.#epoch !== epoch) this.#acked = 1;
    this.#epoch = epoch;
    this.#position = Math.max(this.#acked, buffer.next - backlog, 1);
    this.#flush();
  }

  /** The buffer has more. */
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
      // another run of the process: answers to lines of the one before count no more
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

/** As many of `lines` as take at most `most` bytes as JSON, one at least. */
export function takeWithinBytes(lines: ConsoleLine[], max_bytes = max_batch_bytes): ConsoleLine[] {
  let bytes = 0;
  const end = lines.findIndex(({ text }, index) => {
    // escaped, a control character takes six bytes
    bytes += Buffer.byteLength(JSON.stringify(text)) + 80;
    return bytes > max_bytes && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
