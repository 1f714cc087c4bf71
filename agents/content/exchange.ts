import { rename, rmdir } from 'node:fs/promises';
import {
  type ChangeState,
  emptyChange,
  loadManifest,
  loadPlaced,
  loadState,
  type Manifest,
  type Phase,
  savePlaced,
  saveState,
} from '../files/content-changes.ts';
import { FileError, namesOf, shown } from '../files/file-error.ts';
import { type Folder, unless } from '../files/folder.ts';
import { moveToTrash } from '../files/trash.ts';
import type { Tree } from '../files/tree.ts';

/**
 * Exchanges files all at once, by renames on one disk. The phase is stored before its first rename, so after an end at any
 * moment it is known which way to go, and each step may be repeated: a slot that is empty was moved already.
 */
export interface Exchange {
  tree: Tree;
  /** The folder of the change, with its slots and its manifest. */
  folder: Folder;
  now: number;
  /** Called before every step; tests end the process there. */
  onStep?: (step: string) => void;
}

/** Where `path` is: its folder and its last name. Nothing for a path whose folder is missing or is none. */
const atOld = <T>(
  tree: Tree,
  path: string,
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T | null> => {
  const names = namesOf(path);
  const name = names.pop()!;
  return tree.in(names, (folder) => work(folder, name)).catch(unless('ENOENT', 'ENOTDIR'));
};

async function begin({ folder, onStep }: Exchange, state: ChangeState, phase: Phase): Promise<ChangeState> {
  onStep?.(phase);
  const next = { ...state, phase };
  await saveState(folder, next);
  return next;
}

/** Exchanges them. When that fails everything is where it was before. Throws what made it fail. */
export async function exchange(change: Exchange, manifest: Manifest, state: ChangeState): Promise<void> {
  try {
    let now = await begin(change, state, 'taking');
    for (const one of manifest.out) await take(change, one);
    now = await begin(change, now, 'putting');
    const etags: string[] = [];
    for (const one of manifest.put) etags.push(await put(change, one));
    await savePlaced(change.folder, etags);
    await begin(change, now, 'done');
  } catch (error) {
    await revert(change);
    throw error;
  }
}

async function take(
  { tree, folder, onStep }: Exchange,
  { path, slot }: Manifest['out'][number],
): Promise<void> {
  onStep?.(`take ${path}`);
  await tree.at(path, async (from, name) => {
    // what became a folder meanwhile is more than this change is about
    if ((await from.find(name))?.type === 'directory')
      throw new FileError('file_is_directory', { path: shown(path) });
    await rename(from.at(name), folder.at(slot));
  });
}

async function put(
  { tree, folder, onStep }: Exchange,
  { path, slot }: Manifest['put'][number],
): Promise<string> {
  onStep?.(`put ${path}`);
  return await tree.atNew(path, async (to, name) => {
    await rename(folder.at(slot), to.at(name));
    return (await to.find(name))?.etag ?? '';
  });
}

/**
 * Brings back what was before a change, also when a revert of an earlier process was cut off. What a change put somewhere and
 * somebody changed since goes to the trash, as does what is in the way. May be repeated until it worked.
 */
export async function revert(change: Exchange): Promise<void> {
  const { folder } = change;
  const [known, manifest] = [await loadState(folder), await loadManifest(folder)];
  if (!known || !manifest || known.phase === 'undone') return;
  let state = known;
  if (state.phase === 'putting' || state.phase === 'done') state = await begin(change, state, 'unputting');
  if (state.phase === 'unputting') {
    const etags = await loadPlaced(folder);
    for (let at = manifest.put.length - 1; at >= 0; at--) await unput(change, manifest.put[at]!, etags[at]);
  }
  if (state.phase !== 'untaking') state = await begin(change, state, 'untaking');
  for (const one of manifest.out.toReversed()) await untake(change, one);
  for (const path of manifest.made.toReversed()) await unmake(change, path);
  await begin(change, state, 'undone');
  await emptyChange(folder);
}

async function unput(
  { tree, folder, now, onStep }: Exchange,
  { path, slot }: Manifest['put'][number],
  etag: string | undefined,
): Promise<void> {
  onStep?.(`unput ${path}`);
  // it never left its slot, or is back already
  if (await folder.find(slot)) return;
  await atOld(tree, path, async (from, name) => {
    const there = await from.find(name);
    if (!there) return;
    const changed = etag !== undefined && there.etag !== etag;
    // what was moved is not removed with the change: it goes back to where it was, changed or not
    const own = slot.startsWith('new-') && changed;
    if (own || there.type === 'directory') await moveToTrash(tree, { folder: from, name, path }, now);
    else await rename(from.at(name), folder.at(slot));
  });
}

async function untake(change: Exchange, { path, slot }: Manifest['out'][number]): Promise<void> {
  const { tree, folder, now, onStep } = change;
  onStep?.(`untake ${path}`);
  if (!(await folder.find(slot))) return;
  const names = namesOf(path);
  const name = names.pop()!;
  await clearWay(change, names);
  await tree.inMade(names, async (to) => {
    if ((await to.find(name))?.type === 'directory') await moveToTrash(tree, { folder: to, name, path }, now);
    await rename(folder.at(slot), to.at(name));
  });
}

/** What is no folder on the way to a folder, such as a link that took its place, goes to the trash. */
async function clearWay({ tree, now }: Exchange, names: readonly string[]): Promise<void> {
  for (let depth = 1; depth <= names.length; depth++) {
    const path = names.slice(0, depth).join('/');
    await atOld(tree, path, async (folder, name) => {
      const there = await folder.find(name);
      if (there && there.type !== 'directory') await moveToTrash(tree, { folder, name, path }, now);
    });
  }
}

/** Removes a folder that the change made, unless something is in it by now. */
async function unmake({ tree, onStep }: Exchange, path: string): Promise<void> {
  onStep?.(`unmake ${path}`);
  await atOld(tree, path, (folder, name) =>
    rmdir(folder.at(name)).catch(unless('ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')),
  );
}
