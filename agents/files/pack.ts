import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { numberedName } from '#db/hosting/servers/files/rules.ts';
import { type ZipPart, zipOf } from '#db/platform/files/zip-write.ts';
import { FileError, namesOf } from './file-error.ts';
import { type Folder, unless, within } from './folder.ts';
import type { Tree } from './tree.ts';
import { walk } from './walk.ts';

/** A file or folder of an archive; the path of a folder ends with `/`. */
interface Packed {
  path: string;
  mode: number;
  mtime: Date;
  file: { handle: FileHandle; bytes: number } | null;
}

/** The regular files and folders of `paths` with everything below them. Each is closed after the next is asked for. */
async function* contentsOf(tree: Tree, paths: readonly string[]): AsyncGenerator<Packed> {
  for (const path of paths) {
    const names = namesOf(path);
    const last = names.at(-1);
    if (last === undefined) yield* below(tree, tree.root, '');
    else {
      // generators cannot give from within a callback, so its folder is opened once more
      const parent = await tree.in(names.slice(0, -1), (folder) => folder.folder('.'));
      try {
        const folder = await parent.folder(last).catch(unless('ENOTDIR'));
        if (folder) yield* closing(folder, below(tree, folder, `${last}/`));
        else yield* opened(parent, last, last);
      } finally {
        await parent.close();
      }
    }
  }
}

async function* closing(folder: Folder, inner: AsyncGenerator<Packed>): AsyncGenerator<Packed> {
  try {
    yield* inner;
  } finally {
    await folder.close();
  }
}

async function* below(tree: Tree, folder: Folder, prefix: string): AsyncGenerator<Packed> {
  if (prefix !== '') yield await folderEntry(folder, prefix);
  for await (const one of walk(tree, folder)) {
    const path = prefix + one.path;
    if (one.type === 'directory') {
      const gone = unless('ENOENT', 'ENOTDIR', 'EXDEV');
      const inner = await one.folder.folder(one.name).catch(gone);
      if (inner) yield await within(Promise.resolve(inner), (it) => folderEntry(it, `${path}/`));
    } else if (one.type === 'file') yield* opened(one.folder, one.name, path, 'skip');
  }
}

async function folderEntry(folder: Folder, path: string): Promise<Packed> {
  const { mode, mtime } = await folder.handle.stat();
  return { path, mode: mode & 0o777, mtime, file: null };
}

/** A file; with `skip` nothing when it is another thing by now. */
async function* opened(folder: Folder, name: string, path: string, skip?: 'skip'): AsyncGenerator<Packed> {
  const handle = await folder.file(name).catch((error) => {
    if (!skip) throw error;
    return error instanceof FileError ? null : unless('ENOENT', 'ELOOP', 'ENXIO')(error);
  });
  if (!handle) return;
  try {
    const { size, mode, mtime } = await handle.stat();
    yield { path, mode: mode & 0o777, mtime, file: { handle, bytes: size } };
  } finally {
    await handle.close();
  }
}

/** Exactly `bytes` of a file: what it lost meanwhile is zeros, what it gained is left out. */
async function* padded({ handle, bytes }: { handle: FileHandle; bytes: number }): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const wanted = Math.min(256 * 1024, bytes - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    const got = bytesRead === 0 ? buffer.fill(0) : buffer.subarray(0, bytesRead);
    yield got;
    at += got.length;
  }
}

/** Files and folders as a tar. Source: hosting §8. */
export function packTar(tree: Tree, paths: readonly string[]): Pack {
  const packed = pack();
  const fill = async (): Promise<void> => {
    for await (const { path, mode, mtime, file } of contentsOf(tree, paths)) {
      const header = { name: path, mode, mtime, size: file?.bytes ?? 0 };
      const entry = packed.entry({ ...header, type: file ? 'file' : 'directory' });
      if (file && file.bytes > 0) await pipeline(padded(file), entry);
      else entry.end('');
    }
    packed.finalize();
  };
  void fill().catch((error) => packed.destroy(error));
  return packed;
}

/**
 * The name of a file in a zip: there a backslash means a folder and a letter with a colon a drive, and a name that begins so is
 * refused. Mods may make files of any name.
 */
export const zipName = (path: string): string => path.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_');

/** Names of one zip: of two that would be the same the second gets a number. */
class ZipNames {
  readonly #taken = new Set<string>();

  of(path: string): string {
    const [name, slash] = path.endsWith('/') ? [path.slice(0, -1), '/'] : [path, ''];
    const plain = zipName(name);
    let free = plain;
    // folders are merged, as their files have other names then
    for (let number = 2; !slash && this.#taken.has(free); number++) {
      const [, above = '', last = ''] = /^(.*\/)?([^/]+)$/s.exec(plain) ?? [];
      free = above + numberedName(last, number);
    }
    this.#taken.add(free);
    return free + slash;
  }
}

/** Files and folders as a zip. */
export const packZip = (tree: Tree, paths: readonly string[]): AsyncGenerator<Buffer> =>
  zipOf(zipParts(tree, paths));

async function* zipParts(tree: Tree, paths: readonly string[]): AsyncGenerator<ZipPart> {
  const names = new ZipNames();
  for await (const { path, mode, mtime, file } of contentsOf(tree, paths)) {
    const name = names.of(path);
    if (file) yield { name, content: padded(file), mtime, mode: 0o100000 | mode, size: file.bytes };
    else yield { name, content: null, mtime, mode: 0o040000 | mode };
  }
}
