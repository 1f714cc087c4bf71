import { type Sections, section } from './sections.ts';

const encoder = new TextEncoder();

/** Cache of the last lookups: all layers of an index get the same ones in a row. */
const encoded_cache = new Map<string, Uint8Array>();
const max_encoded_cache = 256;

function encoded(text: string): Uint8Array {
  let bytes = encoded_cache.get(text);
  if (!bytes) {
    bytes = encoder.encode(text);
    if (encoded_cache.size >= max_encoded_cache) encoded_cache.clear();
    encoded_cache.set(text, bytes);
  }
  return bytes;
}

/** Compares texts by UTF-8 bytes, that is by code points, unlike JavaScript strings. */
export function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode code points above all others. */
const rank = (unit: number): number => {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
};

/** Writes a list of texts: `name.bytes` has them as UTF-8, `name.offsets` where each begins and the last ends. */
export function writeStrings(sections: Sections, name: string, texts: readonly string[]): void {
  const parts = texts.map((text) => Buffer.from(text));
  const offsets = new Uint32Array(texts.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] as number) + part.length;
  });
  const bytes = new Uint8Array(offsets.at(-1) ?? 0);
  parts.forEach((part, i) => {
    bytes.set(part, offsets[i]);
  });
  sections.set(`${name}.bytes`, bytes).set(`${name}.offsets`, offsets);
}

/** A list of texts. `find` and `startingWith` need it sorted by bytes; they compare in place without decoding. */
export class Strings {
  readonly #bytes: Buffer;
  readonly #offsets: Uint32Array;

  constructor(sections: Sections, name: string) {
    const bytes = section(sections, `${name}.bytes`, Uint8Array);
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#offsets = section(sections, `${name}.offsets`, Uint32Array);
  }

  get length(): number {
    return this.#offsets.length - 1;
  }

  at(i: number): string {
    return this.#bytes.toString('utf8', this.#offsets[i], this.#offsets[i + 1]);
  }

  /** All of them, decoded. */
  all(): string[] {
    return Array.from({ length: this.length }, (_, i) => this.at(i));
  }

  /** Index of `text`, -1 when missing. */
  find(text: string): number {
    const bytes = encoded(text);
    const at = this.#firstFrom(bytes, false);
    return at < this.length && this.#compare(at, bytes, false) === 0 ? at : -1;
  }

  /** Index range of the texts that start with `text`: from the first, below the second. */
  startingWith(text: string): [from: number, to: number] {
    const bytes = encoded(text);
    return [this.#firstFrom(bytes, false), this.#firstFrom(bytes, true)];
  }

  /** The first index whose text is not before `asked`; with `after` also skips texts that start with it. */
  #firstFrom(wanted_bytes: Uint8Array, after: boolean): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, wanted_bytes, after);
      if (order < 0 || (after && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares text `i` with `asked`; `start`: only as many bytes as `asked` has. */
  #compare(i: number, wanted_bytes: Uint8Array, start: boolean): number {
    const from = this.#offsets[i] as number;
    const length = (this.#offsets[i + 1] as number) - from;
    const shorter = Math.min(length, wanted_bytes.length);
    for (let at = 0; at < shorter; at++) {
      const difference = (this.#bytes[from + at] as number) - (wanted_bytes[at] as number);
      if (difference !== 0) return difference;
    }
    return start && length >= wanted_bytes.length ? 0 : length - wanted_bytes.length;
  }
}
