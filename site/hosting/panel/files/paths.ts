import { readableName } from '#db/platform/files/raw-names/rules.ts';

/** Paths of a server's files: names with `/` between them, `''` is the server's folder itself. Pure. */

export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** The last name of `path` for people: bytes that are no text are the replacement character. */
export const shownNameOf = (path: string): string => readableName(nameOf(path));

/** Every folder from the server's own, without it, down to `path`, with its name for people. */
export function crumbsOf(path: string): { name: string; path: string }[] {
  if (path === '') return [];
  const names = path.split('/');
  return names.map((name, i) => ({ name: readableName(name), path: names.slice(0, i + 1).join('/') }));
}

/** Whether `path` is `folder` or lies in it. */
const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Whether `paths` can be moved into `folder`: not into themselves, and not to where they are. */
export const canMoveTo = (paths: readonly string[], folder: string): boolean =>
  paths.length > 0 && paths.every((path) => !isWithin(folder, path) && parentOf(path) !== folder);

/** A path as people type it or an address has it, without empty parts and those that lead elsewhere. */
export const cleanPath = (text: string): string =>
  text
    .split('/')
    .filter((name) => name !== '' && name !== '.' && name !== '..')
    .join('/');

/** Every folder that `paths` lie in below `folder`, parents first. */
export function foldersOf(paths: readonly string[], folder: string): string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (const { path: parent } of crumbsOf(parentOf(path)))
      if (parent !== folder && isWithin(parent, folder)) found.add(parent);
  return [...found].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}

/** Most paths of one request. Source: hosting §1e. */
const max_paths = 500;

/** `all` in parts that one request may have. */
export const requestParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / max_paths) }, (_, i) =>
    all.slice(i * max_paths, (i + 1) * max_paths),
  );
