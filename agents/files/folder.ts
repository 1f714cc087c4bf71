import { chmod, chown, constants, type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises';
import type { FileEntry } from '#control/protocol/files.ts';
import { bytesOfName, isRawName } from '#db/platform/files/raw-names/rules.ts';
import { FileError, systemCode } from './file-error.ts';

/** A descriptor that only names a folder. Source: hosting §8. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_CREAT, O_EXCL, O_RDWR } = constants;

/** The user of this process. */
export const me = process.getuid?.() ?? 0;
/** Whether this process may give files to other users. */
const may_give = me === 0;

/** A type of this file system's entries that cannot be told apart further. */
export type EntryType = FileEntry['type'];

/**
 * An open folder. What is in it is reached as `/proc/self/fd/<fd>/<name>`: whatever happens to the path meanwhile, the name
 * is looked up in this very folder, and links are never followed. Source: hosting §1e.
 */
export class Folder {
  readonly handle: FileHandle;
  /** The file system: nothing of another one is touched. */
  readonly dev: number;

  constructor(handle: FileHandle, dev: number) {
    [this.handle, this.dev] = [handle, dev];
  }

  /** Its own path in this process, for functions that take paths. */
  get path(): string {
    return `/proc/self/fd/${this.handle.fd}`;
  }
  /** The path of a name in it, as bytes where it is no UTF-8. */
  at(name: string): string | Buffer {
    const path = `${this.path}/${name}`;
    return isRawName(name) ? Buffer.from(bytesOfName(path)) : path;
  }

  /** Opens a folder in it. Throws `ENOTDIR` for anything else, links included. */
  async folder(name: string): Promise<Folder> {
    return await openFolder(this.at(name), this.dev);
  }

  /** Opens a folder in it and makes it first when it is missing. It belongs to `uid`. */
  async make(name: string, uid: number): Promise<Folder> {
    const there = await this.folder(name).catch(unless('ENOENT'));
    if (there) return there;
    await this.newFolder(name, uid).catch(unless('EEXIST'));
    return await this.folder(name);
  }

  /** Makes a folder that belongs to `uid`. Throws `EEXIST`. */
  async newFolder(name: string, uid: number): Promise<void> {
    await mkdir(this.at(name), { mode: 0o755 });
    if (!may_give) return;
    const handle = await open(this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      await handle.chown(uid, uid);
    } finally {
      await handle.close();
    }
  }

  /** Gives a file or folder of one of our own folders to `uid`: in any other it could be something else by now. */
  async give(name: string, uid: number, mode?: number): Promise<void> {
    if (mode !== undefined) await chmod(this.at(name), mode & 0o777);
    if (may_give) await chown(this.at(name), uid, uid);
  }

  /** Opens a folder in it that only this process may use; makes it when it is missing. Throws `busy` for another's. */
  async makeOwn(name: string): Promise<Folder> {
    await mkdir(this.at(name), { mode: 0o700 }).catch(unless('EEXIST'));
    const folder = await this.folder(name);
    const found = await folder.handle.stat();
    if (found.uid === me && (found.mode & 0o077) === 0) return folder;
    await folder.close();
    throw new FileError('busy');
  }

  /**
   * Opens a regular file in it for reading. Never waits for the other end of a pipe. Throws `file_not_regular`, or
   * `file_is_directory`.
   */
  async file(name: string): Promise<FileHandle> {
    const handle = await open(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (found.isDirectory()) throw new FileError('file_is_directory', { path: name });
      if (!found.isFile() || found.dev !== this.dev) throw new FileError('file_not_regular', { path: name });
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Makes a new file in it, for reading and writing. Throws `EEXIST`. */
  async newFile(name: string, mode = 0o600): Promise<FileHandle> {
    return await open(this.at(name), O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, mode);
  }

  /** As `newFile`, in place of a file of that name. */
  async overwritten(name: string, mode?: number): Promise<FileHandle> {
    await unlink(this.at(name)).catch(unless('ENOENT'));
    return await this.newFile(name, mode);
  }

  /** The entry of that name; null when there is none. */
  async find(name: string): Promise<FileEntry | null> {
    return await entryOf(this, name).catch(unless('ENOENT'));
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** Opens a folder. With `dev` it has to be on that file system; without, its name may be a link. */
export async function openFolder(path: string | Buffer, dev?: number): Promise<Folder> {
  const handle = await open(path, O_PATH | O_DIRECTORY | (dev === undefined ? 0 : O_NOFOLLOW));
  try {
    const found = await handle.stat();
    if (dev !== undefined && found.dev !== dev)
      throw Object.assign(new Error('another file system'), { code: 'EXDEV' });
    return new Folder(handle, found.dev);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens `name` in `folder`, runs `work` and closes it. */
export async function within<T>(opening: Promise<Folder>, work: (folder: Folder) => Promise<T>): Promise<T> {
  const folder = await opening;
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** A handler for `catch` that gives null for errors with one of these codes. */
export const unless =
  (...codes: string[]) =>
  (error: unknown): null => {
    if (codes.includes(systemCode(error) ?? '')) return null;
    throw error;
  };

type WithType = Record<'isFile' | 'isDirectory' | 'isSymbolicLink', () => boolean>;
export const typeOf = (one: WithType): EntryType =>
  one.isFile() ? 'file' : one.isDirectory() ? 'directory' : one.isSymbolicLink() ? 'link' : 'other';

/** The entry `name` of `folder`. Throws `ENOENT`. */
export async function entryOf(folder: Folder, name: string): Promise<FileEntry> {
  const found = await lstat(folder.at(name), { bigint: true });
  return {
    name: name.toWellFormed(),
    type: typeOf(found),
    bytes: found.isFile() ? Number(found.size) : 0,
    modified: Number(found.mtimeNs / 1_000n) / 1_000,
    created: Number(found.birthtimeNs / 1_000n) / 1_000,
    etag: `${found.mtimeNs}-${found.size}-${found.ino}`,
  };
}
