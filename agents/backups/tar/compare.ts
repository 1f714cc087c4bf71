import { closeSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { FolderPath, openRoot, openToRead, withOpen } from './fds.ts';
import { parseSum, type Sum } from './sums.ts';

const max_named = 100;
const size = 1024 * 1024;

/** Lines of an open file, from its beginning. */
function* linesOf(fd: number): Generator<string> {
  const buffer = Buffer.alloc(size);
  let [rest, at] = ['', 0];
  for (;;) {
    const read = readSync(fd, buffer, 0, size, at);
    if (read === 0) break;
    at += read;
    const lines = (rest + buffer.toString('latin1', 0, read)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * The first files whose sums are not those the backup was made with: `kept` are the sums in it, `read` those of what was
 * read from it, in the same order. With a `folder` the files there are read again.
 */
export function damagedFiles(kept: { fd: number }, read: { fd: number }, folder: string | null): string[] {
  const damaged: string[] = [];
  const name = (path: string): void => {
    if (damaged.length < max_named) damaged.push(Buffer.from(path, 'latin1').toString('utf8'));
  };
  const files = folder === null ? null : new FolderReader(folder);
  const found = linesOf(read.fd);
  for (const line of linesOf(kept.fd)) {
    const [wanted, next] = [parseSum(line), found.next().value as string | undefined];
    const is: Sum | null = next === undefined ? null : parseSum(next);
    if (!wanted) name(line.slice(0, 200));
    else if (wanted.path !== is?.path || wanted.sum !== is.sum) name(wanted.path);
    else if (files && !wanted.sparse && files.sumOf(wanted.path) !== wanted.sum) name(wanted.path);
  }
  for (const line of found) name(parseSum(line)?.path ?? line.slice(0, 200));
  files?.close();
  for (const { fd } of [kept, read]) closeSync(fd);
  return damaged;
}

class FolderReader {
  readonly #root: number;
  readonly #folders: FolderPath;
  readonly #buffer = Buffer.allocUnsafe(size);

  constructor(folder: string) {
    this.#root = openRoot(folder);
    this.#folders = new FolderPath(this.#root);
  }

  /** CRC-32 of a file, null when it cannot be read. */
  sumOf(path: string): number | null {
    const names = path.split('/');
    try {
      return withOpen(openToRead(this.#folders.at(names.slice(0, -1)), names.at(-1)!), (fd) => {
        let sum = 0;
        for (;;) {
          const read = readSync(fd, this.#buffer, 0, size, null);
          if (read === 0) return sum;
          sum = crc32(this.#buffer.subarray(0, read), sum);
        }
      });
    } catch {
      return null;
    }
  }

  close(): void {
    this.#folders.close();
    closeSync(this.#root);
  }
}
