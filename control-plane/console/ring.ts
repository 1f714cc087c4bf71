import type { ConsoleLine } from '../agent-protocol.ts';

/** The newest lines of one console, in their order, each once. Source: hosting §5.4. */
const most_lines = 2_000;
const most_bytes = 512 * 1024;
/** Beside its text a line costs about so much. */
const line_cost = 60;

export class Ring {
  epoch: string;
  #lines: ConsoleLine[] = [];
  #bytes = 0;
  /** The number the next new line has, as far as lines were seen. */
  next = 1;

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  get size(): number {
    return this.#lines.length;
  }

  /** Takes lines of this epoch at the end; those that are there already are dropped. Gives the ones that are new. */
  append(lines: readonly ConsoleLine[]): ConsoleLine[] {
    const fresh = lines.filter(({ seq }) => seq >= this.next);
    for (const line of fresh) {
      this.#lines.push(line);
      this.#bytes += line.text.length + line_cost;
      this.next = line.seq + 1;
    }
    this.#trim();
    return fresh;
  }

  #trim(): void {
    let drop = 0;
    while (this.#lines.length - drop > most_lines || this.#bytes > most_bytes) {
      this.#bytes -= this.#lines[drop]!.text.length + line_cost;
      drop += 1;
    }
    if (drop > 0) this.#lines.splice(0, drop);
  }

  /** Lines from number `from` on. */
  since(from: number): ConsoleLine[] {
    const first = this.#lines.findIndex(({ seq }) => seq >= from);
    return first === -1 ? [] : this.#lines.slice(first);
  }

  all(): ConsoleLine[] {
    return [...this.#lines];
  }
}
