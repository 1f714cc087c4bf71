import { link, rename, unlink } from 'node:fs/promises';
import type { ConflictChoice } from '#control/protocol/files.ts';
import { numberedName } from '#db/hosting/servers/files/rules.ts';
import type { Access } from './access.ts';
import { FileError, shown, systemCode } from './file-error.ts';
import type { Folder } from './folder.ts';
import { moveToTrash } from './trash.ts';

export interface Place {
  folder: Folder;
  name: string;
}
/** Names that are tried before a conflict counts as one. */
const max_numbered = 1_000;

/**
 * Moves an entry to `to`, whose path is `path`, at once or not at all. When there is something already `on_conflict`
 * decides; what a folder replaces, and a folder that is replaced, goes to the trash. Gives the name it has now, null when it
 * was skipped. To be called under `exclusively`. Refuses `file_exists`.
 */
export async function place(
  { tree, context }: Pick<Access, 'tree' | 'context'>,
  from: Place & { directory: boolean },
  to: Place & { path: string },
  on_conflict: ConflictChoice,
): Promise<string | null> {
  const { folder, path } = to;
  let { name } = to;
  for (let number = 2; number <= max_numbered; number++) {
    // a folder would replace an empty one; a file never does, so it is tried first
    const free = !from.directory || !(await folder.find(name));
    if (free && (await moved(from, { folder, name }))) return name;
    const there = await folder.find(name);
    if (!there) continue;
    if (on_conflict === 'refuse') break;
    if (on_conflict === 'skip') return null;
    if (on_conflict === 'rename') name = numberedName(to.name, number);
    else if (there.type === 'directory' || from.directory)
      await moveToTrash(tree, { folder, name, path }, context.now());
    else {
      await rename(from.folder.at(from.name), folder.at(name));
      return name;
    }
  }
  throw new FileError('file_exists', { path: shown(path) });
}

/** Moves it to a name that is not used; false when it is by now. Files never replace anything, whoever is faster. */
async function moved(from: Place & { directory: boolean }, to: Place): Promise<boolean> {
  const [source, target] = [from.folder.at(from.name), to.folder.at(to.name)];
  try {
    if (from.directory) await rename(source, target);
    else {
      await link(source, target);
      await unlink(source);
    }
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'ENOTDIR') return false;
    // a folder into itself has the same code as what cannot be linked
    if (from.directory || (code !== 'EPERM' && code !== 'EMLINK')) throw error;
    await rename(source, target);
    return true;
  }
}
