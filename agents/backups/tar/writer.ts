import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  ftruncateSync,
  futimesSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { posix } from 'node:path';
import type { ReadEntry } from './entries.ts';
import { FolderPath, openFolder, within, withOpen } from './fds.ts';
import { TarDamaged } from './format.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const may_give = process.getuid?.() === 0;

/** Where the content of a file goes. */
interface FileWriter {
  write(bytes: Buffer, offset: number): void;
  end(): void;
}

/** Writes entries below an empty folder, and nothing outside of it. Everything in it belongs to `uid`. */
export class Writer {
  readonly #root: number;
  readonly #folders: FolderPath;
  readonly #parents: FolderPath;
  readonly #uid: number;
  readonly #inside: string;
  #left: number;
  /** Links that lead out, which are not made. */
  left_out = 0;

  /** `limit` bytes of content may be written; `inside` is the path that a server has for its folder, for absolute links. */
  constructor(root: number, options: { uid: number; limit: number; inside: string }) {
    this.#root = root;
    [this.#folders, this.#parents] = [new FolderPath(root), new FolderPath(root)];
    [this.#uid, this.#left, this.#inside] = [options.uid, options.limit, options.inside];
  }

  /** Makes the entry. Gives where its content goes when it has any. Throws `ENOSPC` beyond the limit. */
  begin(entry: ReadEntry): FileWriter | null {
    const { names, type, target = '' } = entry;
    const name = names.at(-1)!;
    const parent = this.#folders.at(names.slice(0, -1));
    const path = within(parent, name);
    if (type === 'directory') {
      mkdirSync(path, { mode: 0o700 });
      withOpen(openFolder(parent, name), (fd) => this.#give(fd, entry.mode | 0o700));
    } else if (type === 'link') {
      if (!this.#staysInside(names, target)) this.left_out += 1;
      else {
        symlinkSync(Buffer.from(target, 'latin1'), path);
        if (may_give) lchownSync(path, this.#uid, this.#uid);
      }
    } else if (type === 'hard_link') {
      const to = target.split('/');
      if (to.some((one) => one === '' || one === '.' || one === '..'))
        throw new TarDamaged('a link leads out');
      linkSync(within(this.#parents.at(to.slice(0, -1)), to.at(-1)!), path);
    } else return this.#file(openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), entry);
    return null;
  }

  end(): void {
    this.#folders.close();
    this.#parents.close();
    closeSync(this.#root);
  }

  #file(fd: number, entry: ReadEntry): FileWriter {
    return {
      write: (bytes, offset) => {
        this.#left -= bytes.length;
        if (this.#left < 0)
          throw Object.assign(new Error('the backup has more than fits'), { code: 'ENOSPC' });
        for (let at = 0; at < bytes.length; )
          at += writeSync(fd, bytes, at, bytes.length - at, entry.map ? offset + at : null);
      },
      end: () => {
        if (entry.sparse_size !== undefined) ftruncateSync(fd, entry.sparse_size);
        this.#give(fd, entry.mode);
        futimesSync(fd, entry.modified, entry.modified);
        closeSync(fd);
      },
    };
  }

  #give(fd: number, mode: number): void {
    fchmodSync(fd, mode & 0o777);
    if (may_give) fchownSync(fd, this.#uid, this.#uid);
  }

  #staysInside(names: string[], target: string): boolean {
    const { at, to } = target.startsWith('/')
      ? { at: this.#inside, to: target }
      : { at: this.#inside, to: posix.join(this.#inside, ...names.slice(0, -1), target) };
    const plain = posix.normalize(to);
    return target !== '' && at !== '' && (plain === at || plain.startsWith(`${at}/`));
  }
}
