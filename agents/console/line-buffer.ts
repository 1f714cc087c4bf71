import type { ConsoleLine } from '#control/protocol/console.ts';

const default_max_bytes = 4 * 1024 * 1024;
/** Cost of a line beside its text. */
const line_overhead_bytes = 64;

/** The newest lines of one console, at most `limit` bytes; numbers rise by one from 1 and never repeat. */
export class LineBuffer {
  #lines: ConsoleLine[] = [];
  #head = 0;
  #bytes = 0;
  #next = 1;
  readonly #limit: number;

  constructor(limit = default_max_bytes) {
    this.#limit = limit;
  }

  /** Number of the next line. */
  get next(): number {
    return this.#next;
  }

  /** Number of the oldest buffered line; `next` when the buffer is empty. */
  get first(): number {
    return this.#lines[this.#head]?.seq ?? this.#next;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(line: Omit<ConsoleLine, 'seq'>): ConsoleLine {
    const numbered = { seq: this.#next, ...line };
    this.#next += 1;
    this.#lines.push(numbered);
    this.#bytes += cost(numbered);
    while (this.#bytes > this.#limit && this.#head < this.#lines.length - 1) {
      this.#bytes -= cost(this.#lines[this.#head] as ConsoleLine);
      this.#head += 1;
    }
    // copying everything at every line would be slow during a flood
    if (this.#head > 1024 && this.#head > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#head);
      this.#head = 0;
    }
    return numbered;
  }

  /** Removes all lines; the next line is number `next`. */
  reset(next = 1): void {
    [this.#lines, this.#head, this.#bytes, this.#next] = [[], 0, 0, next];
  }

  /** At most `limit` lines from number `from` on, oldest first. */
  from(from: number, limit: number): ConsoleLine[] {
    const start = this.#head + Math.max(0, from - this.first);
    return this.#lines.slice(start, start + limit);
  }

  /** The newest `limit` lines with a number below `before`, oldest first. */
  before(before: number | null, limit: number): ConsoleLine[] {
    const end = Math.min(before ?? this.#next, this.#next);
    return this.from(Math.max(this.first, end - limit), Math.max(0, Math.min(limit, end - this.first)));
  }
}

const cost = ({ text }: ConsoleLine): number => text.length + line_overhead_bytes;
