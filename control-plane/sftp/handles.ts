import type { FileEntry } from '../protocol/files.ts';
import { SftpFailure } from './failure.ts';
import type { FileReader } from './file-reader.ts';
import type { FileWriter } from './file-writer.ts';
import { sftpLimits } from './limits.ts';

/** What a client has open. */
export type Handle =
  | { kind: 'directory'; path: string; next: number; entries: FileEntry[]; complete: boolean }
  | {
      kind: 'file';
      path: string;
      entry: FileEntry;
      reader: FileReader | null;
      writer: FileWriter | null;
      /** It did not exist before. */
      isNew: boolean;
    };

/** The handles of one connection, at most 64: a place is taken before anything is opened. */
export class Handles {
  readonly #open = new Map<string, Handle | null>();
  #last = 0;

  /** Takes a place, runs `open` and gives the name of its handle. */
  async add(open: () => Promise<Handle>): Promise<string> {
    if (this.#open.size >= sftpLimits.handles)
      throw new SftpFailure(
        'failure',
        `At most ${sftpLimits.handles} files and folders can be open at once. Close some first.`,
      );
    this.#last += 1;
    const name = this.#last.toString(16).padStart(8, '0');
    this.#open.set(name, null);
    try {
      this.#open.set(name, await open());
      return name;
    } catch (error) {
      this.#open.delete(name);
      throw error;
    }
  }

  get(name: string): Handle {
    const handle = this.#open.get(name);
    if (!handle) throw new SftpFailure('failure', 'This file or folder isn’t open.');
    return handle;
  }

  file(name: string): Extract<Handle, { kind: 'file' }> {
    const handle = this.get(name);
    if (handle.kind !== 'file') throw new SftpFailure('failure', 'That is a folder.');
    return handle;
  }

  /** What is being written to a path. */
  writersOf(path: string): FileWriter[] {
    return [...this.#open.values()].flatMap((handle) =>
      handle?.kind === 'file' && handle.path === path && handle.writer ? [handle.writer] : [],
    );
  }

  /** Takes the handle out. */
  remove(name: string): Handle {
    const handle = this.get(name);
    this.#open.delete(name);
    return handle;
  }

  /** Takes all of them out. */
  clear(): Handle[] {
    const left = [...this.#open.values()].filter((handle) => handle !== null);
    this.#open.clear();
    return left;
  }
}
