import type { RefusalCode } from '../../../platform/errors.ts';
import { byteLengthOfName, isOwnName, readableName } from '../../../platform/files/raw-names/rules.ts';

/** Rules for paths of a server's files: relative, `/` between names, `''` is the server's folder. Source: hosting §1e. */

/** Longest name and path, in bytes of UTF-8. Source: limits.h. */
export const name_bytes = 255;
export const path_bytes = 4_096;

/**
 * The folder at the top of a server's files that is Cairn's own: trash, unfinished uploads and files that are being
 * written. Never listed, reached by no path, and not part of archives and backups.
 */
export const reserved_name = '.cairn';

/** What can be wrong with a path, in words that follow "isn’t a valid path:". */
const problems = {
  empty: 'a name is missing',
  dots: '“.” and “..” aren’t possible',
  slash: 'names can’t contain slashes',
  nul: 'it contains a NUL character',
  control: 'it contains control characters',
  direction: 'it contains invisible characters that change the direction of text',
  text: 'it isn’t valid Unicode',
  name_long: 'names can be at most 255 bytes long',
  path_long: 'paths can be at most 4096 bytes long',
  reserved: `${reserved_name} is used by Cairn itself`,
} as const;
export type PathProblem = keyof typeof problems;

/** Data of the refusal `file_path_invalid`: `problem` in words, `why` for programs. */
export const pathRefusal = (
  path: string,
  why: PathProblem,
): { path: string; problem: string; why: PathProblem } => ({
  // an address that cannot be shown is shown as far as it can be
  path: [...readableName(path.slice(0, 200))].map((one) => (unseen.test(one) ? '\u{fffd}' : one)).join(''),
  problem: problems[why],
  why,
});

const bytesOf = byteLengthOfName;
/** Control characters of ASCII and Latin-1, and the separators of lines and paragraphs. */
const control = /[\p{Cc}\u2028\u2029]/u;
/** Marks, embeddings, overrides and isolates. Source: UAX #9. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const unseen = new RegExp(`${control.source}|${direction.source}`, 'u');

/** Why `name` is not the name of a file that exists. */
function whyNotExisting(name: string): PathProblem | null {
  if (name === '') return 'empty';
  if (name === '.' || name === '..') return 'dots';
  if (name.includes('/')) return 'slash';
  if (name.includes('\0')) return 'nul';
  if (!isOwnName(name)) return 'text';
  return bytesOf(name) > name_bytes ? 'name_long' : null;
}

/** Why nothing new may be named `name`, or null. Games may have made names that are refused here. */
export function whyNotName(name: string): PathProblem | null {
  const why = whyNotExisting(name);
  if (why) return why;
  if (control.test(name)) return 'control';
  if (direction.test(name)) return 'direction';
  return /\p{Surrogate}/u.test(name) ? 'text' : null;
}

export type ParsedPath = { names: string[]; why: null } | { names: null; why: PathProblem };

/**
 * The names of `path`, or why it is none. A leading `/` means the server's folder. With `fresh` it is for something new,
 * whose names have to be readable by everybody.
 */
export function parsePath(path: string, fresh?: 'fresh'): ParsedPath {
  if (bytesOf(path) > path_bytes) return { names: null, why: 'path_long' };
  const names = path.replace(/^\//, '').split('/');
  // the folder itself; nothing new has its name
  if (names.length === 1 && names[0] === '')
    return fresh ? { names: null, why: 'empty' } : { names: [], why: null };
  for (const name of names) {
    const why = fresh ? whyNotName(name) : whyNotExisting(name);
    if (why) return { names: null, why };
  }
  return names[0] === reserved_name ? { names: null, why: 'reserved' } : { names, why: null };
}

/** The name that `name` gets when there is one already: `map.zip` becomes `map (2).zip`. At most 255 bytes long. */
export function numberedName(name: string, number: number): string {
  const [, stem = name, extension = ''] = /^(.+?)((?:\.tar)?\.[^.]{1,16})$/u.exec(name) ?? [];
  const end = ` (${number})${extension}`;
  const characters = [...stem];
  while (bytesOf(characters.join('') + end) > name_bytes) characters.pop();
  return characters.join('') + end;
}

/** Operations on files that move many bytes before anything is at its place: the others are over at once, or cannot be undone. */
export const cancellableKinds: readonly string[] = ['file_copy', 'file_unpack', 'file_fetch'];

/** Why an operation cannot be canceled, or null; canceling what is over changes nothing. */
export const whyNotCancel = ({ kind }: { kind: string }): RefusalCode | null =>
  cancellableKinds.includes(kind) ? null : 'operation_not_cancellable';
