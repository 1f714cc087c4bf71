import { createReadStream, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';

/** One thing in an image: path without a slash in front, and what lies there. */
export type Entry = { path: string } & (
  | { folder: true; mode?: number }
  | { text: string; mode?: number }
  | { from: string; mode?: number }
  | { link: string }
);

/** The whole tar of an image, written while it is read; fails as the stream does when a file cannot be read. */
export function tarOf(entries: Iterable<Entry>): Pack {
  const tar = pack();
  write(tar, entries).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return tar;
}

async function write(tar: Pack, entries: Iterable<Entry>): Promise<void> {
  // the same bytes for the same files, whenever they were put there
  const mtime = new Date(0);
  for (const entry of entries) {
    const name = entry.path;
    if ('folder' in entry) tar.entry({ name, type: 'directory', mode: entry.mode ?? 0o755, mtime });
    else if ('link' in entry) tar.entry({ name, type: 'symlink', linkname: entry.link, mtime });
    else if ('text' in entry) tar.entry({ name, mode: entry.mode ?? 0o644, mtime }, entry.text);
    else {
      const { size, mode } = statSync(entry.from);
      const bits = entry.mode ?? (mode & 0o111 ? 0o755 : 0o644);
      await pipeline(createReadStream(entry.from), tar.entry({ name, size, mode: bits, mtime }));
    }
  }
}

/**
 * A folder with everything in it, at `path` of the image, in the order of names. `keep` is asked with each path below
 * the folder; what it refuses is left out with all below it.
 */
export function* treeOf(folder: string, path: string, keep: (below: string) => boolean): Generator<Entry> {
  const walk = function* (below: string): Generator<Entry> {
    yield { path: join(path, below), folder: true };
    for (const name of readdirSync(join(folder, below)).sort()) {
      const at = join(below, name);
      if (!keep(at)) continue;
      const from = join(folder, at);
      const one = lstatSync(from);
      if (one.isDirectory()) yield* walk(at);
      else if (one.isSymbolicLink()) yield { path: join(path, at), link: readlinkSync(from) };
      else if (one.isFile()) yield { path: join(path, at), from };
    }
  };
  yield* walk('');
}

/** What stands for a file in a hash: its name and its size, which is enough for what packages and systems bring. */
export const fingerprint = (path: string): string => `${basename(path)}:${statSync(realpathSync(path)).size}`;
