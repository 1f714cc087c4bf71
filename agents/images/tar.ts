import { createReadStream, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';

/** An entry of an image: its path without a leading slash, and its content. */
export type Entry = { path: string } & (
  | { folder: true; mode?: number }
  | { text: string; mode?: number }
  | { from: string; mode?: number }
  | { link: string }
);

/** The tar stream of an image, written while it is read; fails when a file cannot be read. */
export function tarOf(entries: Iterable<Entry>): Pack {
  const tar = pack();
  write(tar, entries).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return tar;
}

async function write(tar: Pack, entries: Iterable<Entry>): Promise<void> {
  // the same bytes for the same files, whatever their dates
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
 * A folder with its content at `path` of the image, ordered by name. `keep` is called with each path below the
 * folder; what it rejects is left out with everything below it.
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

/** Fingerprint of a file in a hash: its name and size, which suffices for files of packages and of the system. */
export const fingerprint = (path: string): string => `${basename(path)}:${statSync(realpathSync(path)).size}`;
