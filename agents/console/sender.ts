import { consoleBatch, consoleWindow } from '#control/protocol/agent.ts';
import type { ConsoleLine } from '#control/protocol/console.ts';
import type { Ring } from './ring.ts';

/** So many travel at once, since a command and the answer to it come as two. */
const atOnce = 2;
/** What comes while those are on their way travels together: when one is taken, or after this time. */
const together_ms = 15;
/** Bytes a batch: escaped for the wire it stays below the most one message may have. */
const batchBytes = 128 * 1024;
/** What somebody who begins to look is sent of what was said before. */
const backlog = 500;
/** Until a batch that was not taken is sent again. */
const notTaken_ms = 1_000;

export interface Batch {
  epoch: string;
  /** Lines between `from` and the first one are lost. */
  from: number;
  lines: ConsoleLine[];
}

/**
 * Sends one console's lines while somebody looks: at most `consoleWindow` batches wait to be taken, then the ring keeps
 * what comes; what the ring lost is told as a gap. `send` gives whether the batch was taken. Source: hosting §5.4.
 */
export class Sender {
  readonly #console: { ring: Ring; epoch: string | null };
  readonly #send: (batch: Batch) => Promise<boolean>;
  #watched = false;
  #epoch: string | null = null;
  #position = 1;
  #taken = 1;
  #flying = 0;
  #round = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(console: { ring: Ring; epoch: string | null }, send: (batch: Batch) => Promise<boolean>) {
    this.#console = console;
    this.#send = send;
  }

  /** Whether lines are wanted. Begins after what was taken before, or with the newest lines. */
  watch(on: boolean): void {
    if (on === this.#watched) return;
    this.#watched = on;
    if (on) this.again();
  }

  /** The plane is there again: what it did not take is sent once more. */
  again(): void {
    this.#round += 1;
    this.#flying = 0;
    const { ring, epoch } = this.#console;
    if (this.#epoch !== epoch) this.#taken = 1;
    this.#epoch = epoch;
    this.#position = Math.max(this.#taken, ring.next - backlog, 1);
    this.#flush();
  }

  /** The ring has more. */
  added(): void {
    if (!this.#watched) return;
    if (this.#flying < atOnce) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), together_ms);
  }

  stop(): void {
    this.#watched = false;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { ring, epoch } = this.#console;
    if (!this.#watched || !epoch) return;
    if (epoch !== this.#epoch) {
      // another run of the process: answers to lines of the one before count no more
      [this.#epoch, this.#position, this.#taken, this.#flying] = [epoch, 1, 1, 0];
      this.#round += 1;
    }
    while (this.#flying < consoleWindow && this.#position < ring.next) this.#batch(ring, epoch);
  }

  #batch(ring: Ring, epoch: string): void {
    const lines = fitting(ring.from(this.#position, consoleBatch));
    const [from, round] = [this.#position, this.#round];
    const end = (lines.at(-1)?.seq ?? from) + 1;
    this.#position = end;
    this.#flying += 1;
    void this.#send({ epoch, from, lines }).then((taken) => {
      if (round !== this.#round) return;
      this.#flying -= 1;
      if (!taken) {
        setTimeout(() => round === this.#round && this.again(), notTaken_ms).unref();
        return;
      }
      this.#taken = Math.max(this.#taken, end);
      this.#flush();
    });
  }
}

/** As many of `lines` as take at most `most` bytes as JSON, one at least. */
export function fitting(lines: ConsoleLine[], most = batchBytes): ConsoleLine[] {
  let bytes = 0;
  const end = lines.findIndex(({ text }, index) => {
    // escaped, a control character takes six bytes
    bytes += Buffer.byteLength(JSON.stringify(text)) + 80;
    return bytes > most && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
