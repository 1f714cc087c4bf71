import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { type EntryType, type Folder, unless } from './folder.ts';
import { entriesIn } from './names-in.ts';
import type { Tree } from './tree.ts';

/** Folders deeper than this are not entered: each of them is a descriptor. */
const max_depth = 128;

/** Something below a folder. `folder` is closed after the next one is asked for. */
export interface Found {
  folder: Folder;
  name: string;
  type: EntryType;
  /** From the folder on where the walk began. */
  path: string;
}

/** How a walk went. */
export interface Walk {
  /** Folders were too deep to enter. */
  too_deep: boolean;
}

/** Everything below `folder`, each folder before what is in it. Folders that vanish meanwhile are left out. */
export async function* walk(
  tree: Tree,
  folder: Folder,
  state: Walk = { too_deep: false },
  above = '',
  depth = 0,
): AsyncGenerator<Found> {
  for await (const { name, type } of entriesIn(folder)) {
    if (folder === tree.root && name === reserved_name) continue;
    const path = `${above}${name}`;
    yield { folder, name, type, path };
    if (type !== 'directory') continue;
    if (depth + 1 >= max_depth) {
      state.too_deep = true;
      continue;
    }
    // it may be another thing by now
    const below = await folder.folder(name).catch(unless('ENOENT', 'ENOTDIR', 'EXDEV'));
    if (!below) continue;
    try {
      yield* walk(tree, below, state, `${path}/`, depth + 1);
    } finally {
      await below.close();
    }
  }
}
