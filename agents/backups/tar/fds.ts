import { closeSync, constants, openSync } from 'node:fs';

/**
 * Opens entries below a folder without following a link: each step is made from the folder that is open already, so that
 * nothing a game server swaps meanwhile leads elsewhere. Names are bytes as latin1 text. Source: hosting §1e.
 */

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** The path of `name` in the open folder `parent`, for calls that do not follow its last part. */
export const within = (parent: number, name: string): Buffer =>
  Buffer.from(`/proc/self/fd/${parent}/${name}`, 'latin1');

/** Opens a folder; the caller closes it. */
export const openRoot = (path: string): number => openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
export const openFolder = (parent: number, name: string): number =>
  openSync(within(parent, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
/** A pipe in place of a file does not block it; the caller checks what was opened. */
export const openToRead = (parent: number, name: string): number =>
  openSync(within(parent, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);

/** Runs `work` with an open file or folder and closes it. */
export function withOpen<T>(fd: number, work: (fd: number) => T): T {
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * The open folder of the entry that is read or written next: those on its way stay open until an entry elsewhere comes.
 */
export class FolderPath {
  readonly #root: number;
  readonly #open: { name: string; fd: number }[] = [];

  constructor(root: number) {
    this.#root = root;
  }

  /** The open folder at `names` below the root. Throws what the system says when one of them is none. */
  at(names: readonly string[]): number {
    let same = 0;
    while (same < names.length && this.#open[same]?.name === names[same]) same += 1;
    for (const { fd } of this.#open.splice(same)) closeSync(fd);
    for (const name of names.slice(same)) {
      const parent = this.#open.at(-1)?.fd ?? this.#root;
      this.#open.push({ name, fd: openFolder(parent, name) });
    }
    return this.#open.at(-1)?.fd ?? this.#root;
  }

  close(): void {
    for (const { fd } of this.#open.splice(0)) closeSync(fd);
  }
}
