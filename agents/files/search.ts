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
    return linesWith(this.#buffer.toString('utf8', 0, size), this.#wanted, most);
  }
}

/**
 * At most `most` lines with `wanted`, which is in lower case. Goes from one to the next without a copy of the others: a file may
 * have a million lines, and all servers of the node share this thread.
 */
export function linesWith(content: string, wanted: string, most: number): { number: number; text: string }[] {
  if (wanted.includes('\n')) return [];
  const lower = content.toLowerCase();
  const lines: { number: number; text: string }[] = [];
  // the same place in both: a letter in lower case may be longer
  const begin = { lower: 0, content: 0 };
  let number = 1;
  for (let found = lower.indexOf(wanted); found !== -1 && lines.length < most; ) {
    const line_breaks = lineBreaksIn(lower, begin.lower, found);
    begin.content = afterLineBreaks(content, begin.content, line_breaks);
    begin.lower = found === 0 ? 0 : lower.lastIndexOf('\n', found - 1) + 1;
    number += line_breaks;
    const end_of_line = content.indexOf('\n', begin.content);
    const line = content.slice(begin.content, end_of_line === -1 ? undefined : end_of_line);
    // a long line is cut around what was found
    const from = Math.max(0, Math.min(found - begin.lower - 50, line.length - line_characters));
    const text = line.slice(from, from + line_characters).replace(/\r$/, '');
    lines.push({ number, text: text.toWellFormed() });
    const end = lower.indexOf('\n', found);
    found = end === -1 ? -1 : lower.indexOf(wanted, end);
  }
  return lines;
}

const line_break = 10;

function lineBreaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === line_break) count++;
  return count;
}

/** Where the line begins that comes after so many line breaks. */
function afterLineBreaks(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; at++) if (text.charCodeAt(at) === line_break) left--;
  return at;
}
