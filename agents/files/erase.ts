import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import type { Access } from './access.ts';
import { FileError } from './file-error.ts';
import { unless } from './folder.ts';
import { restoreItem } from './move.ts';
import { namesIn } from './names-in.ts';
import { erasedItems, moveToTrash } from './trash.ts';

/** Moves everything that a server has into the trash. What was moved is known by `erase_id`, also after an interruption. */
export async function eraseFiles(
  { tree, context }: Access,
  { erase_id }: OperationInput<'file_erase'>,
): Promise<OperationOutput<'file_erase'>> {
  let items = 0;
  for (;;) {
    const names = (await namesIn(tree.root)).filter((name) => name !== reserved_name);
    const before = items;
    for (const path of names) {
      const moved = await moveToTrash(
        tree,
        { folder: tree.root, name: path, path, erase_id },
        context.now(),
      ).catch(unless('ENOENT'));
      if (moved) items++;
    }
    // nothing is left, or nothing that can be moved
    if (items === before) return { items };
  }
}

/**
 * Brings back what an erasure moved into the trash, beside what is there by now. Refuses `change_not_undoable`, and changes
 * nothing, when some of its `items` are not in the trash any more.
 */
export async function uneraseFiles(
  access: Access,
  { erase_id, items }: OperationInput<'file_unerase'>,
): Promise<OperationOutput<'file_unerase'>> {
  const found = await erasedItems(access.tree, erase_id);
  if (items !== null && found.length < items) throw new FileError('change_not_undoable');
  if (found.length > 0)
    await access.tree.own('trash', async (trash) => {
      for (const trash_id of found) await restoreItem(access, trash, trash_id);
    });
  return { items: found.length };
}
