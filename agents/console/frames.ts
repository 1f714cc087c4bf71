/** Stream of a frame. */
export type StreamName = 'out' | 'err';

const header_bytes = 8;

/**
 * Splits Docker's stream of a process without a terminal into frames: 1 byte stream, 3 empty, 4 length, the bytes.
 * Never pauses the stream. Source: hosting §1c (a paused reader holds the process).
 */
export class FrameSplitter {
  readonly #take: (source: StreamName, bytes: Buffer) => void;
  #rest: Buffer[] = [];
  #length = 0;
  #needed = header_bytes;

  constructor(take: (source: StreamName, bytes: Buffer) => void) {
    this.#take = take;
  }

  write(chunk: Buffer): void {
    this.#rest.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return; // pieces of a long frame are joined once
    const all = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest, this.#length);
    let at = 0;
    this.#needed = header_bytes;
    while (all.length - at >= header_bytes) {
      const end = at + header_bytes + all.readUInt32BE(at + 4);
      if (end > all.length) {
        this.#needed = end - at;
        break;
      }
      this.#take(all[at] === 2 ? 'err' : 'out', all.subarray(at + header_bytes, end));
      at = end;
    }
    this.#rest = at === all.length ? [] : [all.subarray(at)];
    this.#length = all.length - at;
  }
}
