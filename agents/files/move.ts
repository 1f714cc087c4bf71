import { lstat, unlink } from 'node:fs/promises';
import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import type { Access } from './access.ts';
import { about, FileError, namesOf, shown, systemCode } from './file-error.ts';
import type { Folder } from './folder.ts';
import { type Place, place } from './place.ts';
import { removeAll } from './remove.ts';
import { moveToTrash, readTrash } from './trash.ts';

/** Refuses `file_into_itself` when `to` is below `from`. */
export function assertNotInside(from: string, to: string): void {
  const [source, target] = [namesOf(from), namesOf(to)];
  if (source.length < target.length && source.every((name, index) => name === target[index]))
    throw new FileError('file_into_itself', { path: shown(from) });
}

/** Whether both paths name the same. */
export const isSame = (from: string, to: string): boolean =>
  namesOf(from).join('/') === namesOf(to).join('/');

/** `path` with another last name. */
export const renamed = (path: string, name: string): string =>
  [...namesOf(path).slice(0, -1), name].join('/');

/** Moves or renames, one after the other; the first that is refused ends it. */
export async function moveFiles(
  access: Access,
  { moves, on_conflict }: OperationInput<'file_move'>,
): Promise<OperationOutput<'file_move'>> {
  const paths: (string | null)[] = [];
  for (const { from, to } of moves) {
    assertNotInside(from, to);
    const path = await access.tree.at(from, async (folder, name) => {
      const directory = (await lstat(folder.at(name))).isDirectory();
      if (isSame(from, to)) return to;
      return await placeAt(access, { folder, name, directory }, to, on_conflict);
    });
    paths.push(path);
  }
  return { paths };
}

/** Puts an entry at a path; gives the path it has now, null when it was skipped. */
export async function placeAt(
  access: Access,
  from: Place & { directory: boolean },
  to: string,
  on_conflict: OperationInput<'file_move'>['on_conflict'],
): Promise<string | null> {
  return await access.tree.atNew(to, async (folder, name) => {
    const target = { folder, name, path: to };
    const now = await access.exclusively(() => place(access, from, target, on_conflict));
    return now === null ? null : renamed(to, now);
  });
}

/**
 * Moves files into the trash, one after the other. Where the disk has no room for the trash they are removed for good: a full
 * disk must not keep its owner from making room.
 */
export async function deleteFiles(
  { tree, context }: Access,
  { paths }: OperationInput<'file_delete'>,
): Promise<OperationOutput<'file_delete'>> {
  const trash: OperationOutput<'file_delete'>['trash'] = [];
  for (const path of paths)
    await tree.at(path, async (folder, name) => {
      try {
        trash.push(await moveToTrash(tree, { folder, name, path }, context.now()));
      } catch (error) {
        if (!['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')) throw error;
        await removeAll(folder, [name]);
      }
    });
  return { trash };
}

/** Moves items of the trash to where they were, beside what is there by now. */
export async function restoreFiles(
  access: Access,
  { trash_ids }: OperationInput<'file_restore'>,
): Promise<OperationOutput<'file_restore'>> {
  const paths: string[] = [];
  await access.tree.own('trash', async (trash) => {
    for (const trash_id of trash_ids) paths.push(await restoreItem(access, trash, trash_id));
  });
  return { paths };
}

/** Moves one item of the trash to where it was, beside what is there by now. Gives its path. */
export async function restoreItem(access: Access, trash: Folder, trash_id: string): Promise<string> {
  const { path, type } = await readTrash(trash, trash_id);
  const names = namesOf(path);
  const name = names.pop()!;
  return await about(path, () =>
    access.tree.inMade(names, async (folder) => {
      const from = { folder: trash, name: trash_id, directory: type === 'directory' };
      const now = await access.exclusively(() => place(access, from, { folder, name, path }, 'rename'));
      await unlink(trash.at(`${trash_id}.json`));
      return renamed(path, now!);
    }),
  );
}
