import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename } from 'node:fs/promises';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { about, FileError, namesOf } from './file-error.ts';
import { type Folder, me, openFolder, unless, within } from './folder.ts';
import { removeAll } from './remove.ts';

const own_folders = ['trash', 'uploads', 'temporary', 'changes'] as const;
type OwnFolder = (typeof own_folders)[number];

/**
 * The files of one server, walked from folder to folder by descriptors: no link, no swap of a folder with a link and no `..`
 * leads out. What it makes belongs to the server's user. Source: hosting §1e.
 */
export class Tree {
  readonly root: Folder;
  readonly uid: number;

  private constructor(root: Folder, uid: number) {
    [this.root, this.uid] = [root, uid];
  }

  /** Opens the tree below `folder`, runs `work` and closes it. */
  static async use<T>(folder: string, uid: number, work: (tree: Tree) => Promise<T>): Promise<T> {
    return await within(openFolder(folder), (root) => work(new Tree(root, uid)));
  }

  /** Runs `work` in the folder of `names`. */
  async in<T>(names: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
    return await this.#walk(names, (folder, name) => folder.folder(name), work);
  }

  /** Runs `work` in the folder of `names`; missing folders are made. */
  async inMade<T>(names: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
    return await this.#walk(names, (folder, name) => folder.make(name, this.uid), work);
  }

  /** Runs `work` in the folder that has `path`, with its last name. Refuses `file_path_invalid`, `file_not_found`. */
  async at<T>(path: string, work: (folder: Folder, name: string) => Promise<T>): Promise<T> {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw new FileError('file_is_directory', { path: '/' });
    return await about(path, () => this.in(names, (folder) => work(folder, name)));
  }

  /** As `at`, for something new: its folder is made, its names have to be readable. */
  async atNew<T>(path: string, work: (folder: Folder, name: string) => Promise<T>): Promise<T> {
    const names = namesOf(path, 'fresh');
    const name = names.pop()!;
    return await about(path, () => this.inMade(names, (folder) => work(folder, name)));
  }

  async #walk<T>(
    names: readonly string[],
    enter: (folder: Folder, name: string) => Promise<Folder>,
    work: (folder: Folder) => Promise<T>,
  ): Promise<T> {
    let here = this.root;
    try {
      for (const name of names) {
        const next = await enter(here, name);
        if (here !== this.root) await here.close();
        here = next;
      }
      return await work(here);
    } finally {
      if (here !== this.root) await here.close();
    }
  }

  /** Whether Cairn's own folder is there. */
  async hasOwn(): Promise<boolean> {
    return (await lstat(this.root.at(reserved_name)).catch(unless('ENOENT'))) !== null;
  }

  /** Runs `work` in one of Cairn's own folders, which the server's process cannot enter. */
  async own<T>(which: OwnFolder, work: (folder: Folder) => Promise<T>): Promise<T> {
    return await within(this.#reserved(), (reserved) => within(reserved.makeOwn(which), work));
  }

  /**
   * The top folder belongs to the server's process, which may put something of its own in place of ours: that is moved
   * aside, so that we never work in a folder that others write to.
   */
  async #reserved(): Promise<Folder> {
    const there = await lstat(this.root.at(reserved_name)).catch(unless('ENOENT'));
    if (there && !(there.isDirectory() && there.uid === me && (there.mode & 0o077) === 0))
      await rename(this.root.at(reserved_name), this.root.at(`${reserved_name}-${randomUUID()}`));
    return await this.root.makeOwn(reserved_name);
  }

  /** Runs `work` with a new folder of our own that is removed afterwards. */
  async scratch<T>(work: (folder: Folder) => Promise<T>): Promise<T> {
    const name = randomUUID();
    return await this.own('temporary', async (temporary) => {
      const folder = await temporary.makeOwn(name);
      try {
        return await work(folder);
      } finally {
        await folder.close();
        await removeAll(temporary, [name]);
      }
    });
  }

  /** Removes what an agent that ended left behind. */
  async clearTemporary(): Promise<void> {
    if (!(await this.hasOwn())) return;
    await this.own('temporary', async (temporary) => {
      await removeAll(temporary, await readdir(temporary.path));
    });
  }
}
