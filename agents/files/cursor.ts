import { type Folder, unless } from './folder.ts';
import type { Tree } from './tree.ts';

/**
 * Goes from folder to folder below one of the tree and keeps those open that lead to the present one: entries of archives
 * are in order, so most of them need no walk from the top.
 */
export class Cursor {
  readonly #tree: Tree;
  readonly #top: Folder;
  readonly #open: { name: string; folder: Folder }[] = [];

  constructor(tree: Tree, top: Folder) {
    [this.#tree, this.#top] = [tree, top];
  }

  /** The folder of `names`; null when there is none. With `make` missing ones are made. Throws `ENOTDIR`. */
  async to(names: readonly string[], make?: 'make'): Promise<Folder | null> {
    let same = 0;
    while (same < this.#open.length && this.#open[same]!.name === names[same]) same++;
    await this.#leave(same);
    for (const name of names.slice(same)) {
      const here = this.#open.at(-1)?.folder ?? this.#top;
      const folder = make
        ? await here.make(name, this.#tree.uid)
        : await here.folder(name).catch(unless('ENOENT'));
      if (!folder) return null;
      this.#open.push({ name, folder });
    }
    return this.#open.at(-1)?.folder ?? this.#top;
  }

  async #leave(depth: number): Promise<void> {
    while (this.#open.length > depth) await this.#open.pop()!.folder.close();
  }

  async close(): Promise<void> {
    await this.#leave(0);
  }
}
