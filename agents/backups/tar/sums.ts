import { openSync, unlinkSync } from 'node:fs';
import { writeAll } from './output.ts';

/**
 * The sums of all files of a backup, its last entry: a line `CRC-32 PATH` for each, in their order. They say which file is
 * damaged; that an archive is the one that was made says its SHA-256. The sum of a file with holes is that of its map and
 * data, and its line begins with `sparse:`, since nobody wants to read holes.
 */

/** The folder of Cairn itself in a server's folder: trash, uploads, a restore that is under way. Never part of a backup. */
export const reserved = '.cairn';
export const sums_path = `${reserved}/sums`;

export interface Sum {
  sum: number;
  /** Bytes as latin1 text. */
  path: string;
  sparse: boolean;
}

const lineOf = ({ sum, path, sparse }: Sum): string => {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${sparse ? 'sparse:' : ''}${sum.toString(16).padStart(8, '0')} ${escaped}\n`;
};

/** Reads one line without its end; null when it is none. */
export function parseSum(line: string): Sum | null {
  const found = /^(sparse:)?([0-9a-f]{8}) (.+)$/.exec(line);
  if (!found) return null;
  const [, sparse, sum = '', path = ''] = found;
  const plain = path.replace(/\\(.)/g, (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter);
  return { sum: Number.parseInt(sum, 16), path: plain, sparse: sparse !== undefined };
}

/** Sums are written to a file without a name: there may be millions. */
export class SumWriter {
  readonly #fd: number;
  #lines = '';
  #bytes = 0;

  /** `scratch` is where the file is for a moment. */
  constructor(scratch: string) {
    this.#fd = openSync(scratch, 'wx+', 0o600);
    unlinkSync(scratch);
  }

  add(sum: Sum): void {
    this.#lines += lineOf(sum);
    if (this.#lines.length > 64 * 1024) this.#flush();
  }

  /** Lines as another program wrote them. */
  addBytes(bytes: Buffer): void {
    writeAll(this.#fd, bytes);
    this.#bytes += bytes.length;
  }

  /** The open file, from its beginning, and its size. */
  end(): { fd: number; bytes: number } {
    this.#flush();
    return { fd: this.#fd, bytes: this.#bytes };
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines, 'latin1');
    writeAll(this.#fd, bytes);
    this.#bytes += bytes.length;
    this.#lines = '';
  }
}
