import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import type { Access } from '../files/access.ts';
import { changesOf, expireChanges, inChange, loadState } from '../files/content-changes.ts';
import { FileError } from '../files/file-error.ts';
import { resultOf } from './apply.ts';
import { type Exchange, revert } from './exchange.ts';
import { syncTree } from './sync-tree.ts';

/**
 * Takes the newest change back that was not taken back yet. What was changed since in a file that it added goes to the trash.
 * Refuses `change_not_undoable`.
 */
export async function undoContent(
  access: Access,
  { folders, change_id }: OperationInput<'content_undo'>,
  { onExchange, onStep }: { onExchange(): Promise<void>; onStep?: Exchange['onStep'] },
): Promise<OperationOutput<'content_undo'>> {
  const { tree, exclusively, context } = access;
  await onExchange();
  const undone = await exclusively(async () => {
    const now = context.now();
    await expireChanges(tree, now);
    const newest = (await changesOf(tree)).find(({ state }) => state?.phase === 'done');
    if (newest?.id !== change_id) throw new FileError('change_not_undoable');
    await inChange(tree, change_id, (folder) => revert({ tree, folder, now, ...(onStep ? { onStep } : {}) }));
    await syncTree(tree);
    return newest.state!;
  });
  return await undoneResult(access, { folders }, undone);
}

/** What taking a change back did. */
export const undoneResult = (
  access: Access,
  asked: { folders: string[] },
  { added, moved, removed }: { added: number; moved: number; removed: number },
) => resultOf(access, asked, { added: removed, moved, removed: added });

/** How far a change is; null when it is unknown here. */
export async function stateOf({ tree }: Access, id: string) {
  return await inChange(tree, id, loadState);
}
