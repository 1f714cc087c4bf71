import type { OperationInput } from '#control/protocol/agent.ts';
import type { Manifest } from '../files/content-changes.ts';
import { FileError, namesOf, shown } from '../files/file-error.ts';
import { unless } from '../files/folder.ts';
import type { Tree } from '../files/tree.ts';

type Wanted = Pick<OperationInput<'content_apply'>, 'add' | 'move' | 'remove'>;

/** A new file, and the slot that holds it until it takes its place. */
export interface Staged {
  path: string;
  slot: string;
}

const invalid = (problem: string, path: string): FileError =>
  new FileError('invalid_input', { problem: `${problem}: ${shown(path)}` });

const plain = (path: string, fresh?: 'fresh'): string => namesOf(path, fresh).join('/');

/**
 * The same change with all paths written in one way. Refuses `file_path_invalid`, and `invalid_input` when two things are
 * wanted of one path.
 */
export function checkPaths<W extends Wanted>(wanted: W): W {
  const add = wanted.add.map((one) => ({ ...one, path: plain(one.path, 'fresh') }));
  const move = wanted.move.map(({ from, to }) => ({ from: plain(from), to: plain(to, 'fresh') }));
  const remove = wanted.remove.map((path) => plain(path));
  const unique = (paths: string[], problem: string): void => {
    const seen = new Set<string>();
    for (const path of paths) {
      if (path === '') throw new FileError('file_is_directory', { path: '/' });
      if (seen.has(path)) throw invalid(problem, path);
      seen.add(path);
    }
  };
  unique([...add.map(({ path }) => path), ...move.map(({ to }) => to)], 'two files for one place');
  unique([...move.map(({ from }) => from), ...remove], 'one file is moved or removed twice');
  return { ...wanted, add, move, remove };
}

/**
 * What has to leave its place, and what takes one: with the files as they are now. Later files of `staged` win. Refuses
 * `file_not_found`, `file_is_directory`, `file_not_directory`, and `invalid_input` for a file below a file.
 */
export async function planExchange(tree: Tree, staged: readonly Staged[], wanted: Wanted): Promise<Manifest> {
  const out = new Map<string, string>();
  const take = (path: string): string => {
    const slot = out.get(path) ?? `old-${out.size}`;
    out.set(path, slot);
    return slot;
  };
  for (const path of [...wanted.remove, ...wanted.move.map(({ from }) => from)])
    if (await isFile(tree, path)) take(path);
    else throw new FileError('file_not_found', { path: shown(path) });
  const put = new Map(wanted.move.map(({ from, to }) => [to, take(from)]));
  for (const { path, slot } of staged) put.set(path, slot);
  for (const path of put.keys()) if (!out.has(path) && (await isFile(tree, path))) take(path);

  const made = new Set<string>();
  const kept = new Set<string>();
  for (const path of put.keys())
    for (const folder of foldersOf(path)) {
      if (put.has(folder)) throw invalid('a file is below another one', path);
      if (made.has(folder) || kept.has(folder)) continue;
      (await isFolder(tree, folder)) ? kept.add(folder) : made.add(folder);
    }
  const pairs = (map: Map<string, string>) => [...map].map(([path, slot]) => ({ path, slot }));
  // a move that another file won over goes nowhere: what it took out stays out
  return { out: pairs(out), put: pairs(put), made: [...made] };
}

/** The folders that lead to `path`, from the top on. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(0, -1).map((_, depth) => names.slice(0, depth + 1).join('/'));
}

const entryAt = (tree: Tree, path: string) =>
  tree.at(path, (folder, name) => folder.find(name)).catch(unless('file_not_found'));

/** Whether something that is no folder is there: a file, or a link, which is never followed. */
async function isFile(tree: Tree, path: string): Promise<boolean> {
  const there = await entryAt(tree, path);
  if (there?.type === 'directory') throw new FileError('file_is_directory', { path: shown(path) });
  return there !== null;
}

async function isFolder(tree: Tree, path: string): Promise<boolean> {
  const there = await entryAt(tree, path);
  if (there && there.type !== 'directory') throw new FileError('file_not_directory', { path: shown(path) });
  return there !== null;
}
