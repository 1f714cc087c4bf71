/** Where the bytes of a frame come from. */
export type Source = 'out' | 'err';

const header = 8;

/**
 * Parts what the engine sends for a process without a terminal into frames: 1 byte source, 3 empty, 4 length, the bytes.
 * Never asks the engine to wait: what arrives is taken at once. Source: hosting §1c (a paused reader holds the process).
 */
export class FrameSplitter {
  readonly #take: (source: Source, bytes: Buffer) => void;
  #rest: Buffer[] = [];
  #length = 0;
  #needed = header;

  constructor(take: (source: Source, bytes: Buffer) => void) {
    this.#take = take;
  }

  write(chunk: Buffer): void {
    this.#rest.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return; // pieces of a long frame are joined once
    const all = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest, this.#length);
    let at = 0;
    this.#needed = header;
    while (all.length - at >= header) {
      const end = at + header + all.readUInt32BE(at + 4);
      if (end > all.length) {
        this.#needed = end - at;
        break;
      }
      this.#take(all[at] === 2 ? 'err' : 'out', all.subarray(at + header, end));
      at = end;
    }
    this.#rest = at === all.length ? [] : [all.subarray(at)];
    this.#length = all.length - at;
  }
}
