import type { z } from 'zod';
import type { fileQueries } from '#control/protocol/files.ts';
import { about, FileError, namesOf } from './file-error.ts';
import { type Folder, unless } from './folder.ts';
import type { Tree } from './tree.ts';
import { walk } from './walk.ts';

type Search = (typeof fileQueries)['search'];
type Results = z.output<Search['output']>;

const time_ms = 5_000;
/** Of a larger file only the beginning is searched. */
const file_bytes = 1024 * 1024;
/** A file with a NUL within these bytes is not text. */
const text_sign_bytes = 8_192;
const line_characters = 300;

/**
 * Names or lines below a folder that contain a text, in any case. Bounded in time and bytes: `complete` says whether
 * everything was looked at. Refuses `file_not_found`, `file_not_directory`.
 */
export async function search(
  tree: Tree,
  { path, text, in: where, limit }: z.output<Search['input']>,
  ends = Date.now() + time_ms,
): Promise<Results> {
  const found: Results['found'] = [];
  const wanted = text.toLowerCase();
  const above = path.replace(/^\//, '').replace(/(?<=.)$/, '/');
  const state = { too_deep: false };
  const lines = where === 'contents' ? new LineSearch(wanted) : null;
  let all = true;
  await about(path, () =>
    tree.in(namesOf(path), async (folder) => {
      for await (const one of walk(tree, folder, state)) {
        if (Date.now() > ends) all = false;
        if (!all) break;
        const entry = { path: (above + one.path).toWellFormed(), type: one.type };
        const before = found.length;
        if (!lines) {
          if (one.name.toLowerCase().includes(wanted)) found.push({ ...entry, line: null });
        } else if (one.type === 'file')
          for (const line of await lines.of(one.folder, one.name, limit + 1 - before))
            found.push({ ...entry, line });
        if (found.length > limit) all = false;
      }
    }),
  );
  return { found: found.slice(0, limit), complete: all && !state.too_deep && !lines?.cut };
}

class LineSearch {
  readonly #wanted: string;
  readonly #buffer = Buffer.allocUnsafe(file_bytes);
  /** Files were too large to be searched to their end. */
  cut = false;

  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** At most `most` lines of a file; none of one that is no text or cannot be read. */
  async of(folder: Folder, name: string, most: number): Promise<{ number: number; text: string }[]> {
    const handle = await folder.file(name).catch((error) => {
      // it was replaced by something else meanwhile
      if (error instanceof FileError) return null;
      return unless('ENOENT', 'ELOOP', 'ENXIO')(error);
    });
    if (!handle) return [];
    let size = 0;
    try {
      while (size < file_bytes) {
        const { bytesRead } = await handle.read(this.#buffer, size, file_bytes - size, size);
        if (bytesRead === 0) break;
        size += bytesRead;
        if (this.#buffer.subarray(0, Math.min(size, text_sign_bytes)).includes(0)) return [];
      }
    } finally {
      await handle.close();
    }
    if (size === file_bytes) this.cut = true;
    const content = this.#buffer.toString('utf8', 0, size);
    return content.toLowerCase().includes(this.#wanted) ? this.#lines(content, most) : [];
  }

  #lines(content: string, most: number): { number: number; text: string }[] {
    const lines: { number: number; text: string }[] = [];
    for (const [index, line] of content.split('\n').entries()) {
      const at = line.toLowerCase().indexOf(this.#wanted);
      if (at === -1) continue;
      // a long line is cut around what was found
      const from = Math.max(0, Math.min(at - 50, line.length - line_characters));
      const text = line.slice(from, from + line_characters).replace(/\r$/, '');
      lines.push({ number: index + 1, text: text.toWellFormed() });
      if (lines.length >= most) break;
    }
    return lines;
  }
}
