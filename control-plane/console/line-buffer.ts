import type { ConsoleLine } from '../protocol/console.ts';

/** The newest lines of one console, in their order, each once. Source: hosting §5.4. */
const normal = { lines: 2_000, bytes: 512 * 1024 };
/** While a viewer is too slow for what comes live, so that it loses nothing of a burst. */
const during_lag = { lines: 20_000, bytes: 4 * 1024 * 1024 };
/** What a line takes beside its text, roughly. */
const line_overhead_bytes = 60;

export class LineBuffer {
  epoch: string;
  #lines: ConsoleLine[] = [];
  #bytes = 0;
  /** The number of the next new line. */
  next = 1;

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  get size(): number {
    return this.#lines.length;
  }

  /**
   * Appends lines of this epoch; those that are there already are dropped. Gives the new ones. Keeps more of them while a
   * viewer lags.
   */
  append(lines: readonly ConsoleLine[], { lag = false } = {}): ConsoleLine[] {
    const fresh = lines.filter(({ seq }) => seq >= this.next);
    for (const line of fresh) {
      this.#lines.push(line);
      this.#bytes += line.text.length + line_overhead_bytes;
      this.next = line.seq + 1;
    }
    this.#trim(lag ? during_lag : normal);
    return fresh;
  }

  #trim(max: typeof normal): void {
    let drop = 0;
    while (this.#lines.length - drop > max.lines || this.#bytes > max.bytes) {
      this.#bytes -= this.#lines[drop]!.text.length + line_overhead_bytes;
      drop += 1;
    }
    if (drop > 0) this.#lines.splice(0, drop);
  }

  /** Lines from number `from` on, at most `limit`. */
  since(from: number, limit = normal.lines): ConsoleLine[] {
    const first = this.#lines.findIndex(({ seq }) => seq >= from);
    return first === -1 ? [] : this.#lines.slice(first, first + limit);
  }
}
