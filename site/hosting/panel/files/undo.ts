import { atom } from 'nanostores';
import { mutate } from '../../../platform/browser/mutate.ts';
import { showToast } from '../../../platform/browser/toasts.store.ts';
import { texts } from './files.store.ts';
import { load } from './folder.ts';
import { operation } from './operation.ts';
import {
  type Done,
  movesBack,
  nothingDone,
  takenBack,
  type UndoStack,
  withDone,
  withRedone,
  withUndone,
} from './undo-stack.ts';

/** What was done on this page, taken back and done again. */
const $stack = atom<UndoStack>(nothingDone);

export const remember = (step: Done): void => $stack.set(withDone($stack.get(), step));

/** Takes back the newest step; one that cannot be taken back any more is forgotten. */
export async function undo(): Promise<void> {
  const step = $stack.get().done.at(-1);
  if (!step) return;
  $stack.set(takenBack($stack.get()));
  const undone = step.kind === 'delete' ? await restore(step) : await move(movesBack(step.moves));
  if (undone) {
    $stack.set(withUndone($stack.get(), step));
    showToast({ type: 'info', title: texts().t('server_files.undone'), text: '' });
  }
  await load();
}

/** Does again what was taken back last. */
export async function redo(): Promise<void> {
  const step = $stack.get().undone.at(-1);
  if (!step) return;
  const again = step.kind === 'delete' ? await removeAgain(step) : (await move([...step.moves])) && step;
  if (again) $stack.set(withRedone($stack.get(), again));
  await load();
}

async function restore({ trash_ids }: Extract<Done, { kind: 'delete' }>): Promise<boolean> {
  const { send } = operation('files.restore', { trash_ids: [...trash_ids] });
  return (await mutate({ send, repeatable: true })).ok;
}

async function move(moves: { from: string; to: string }[]): Promise<boolean> {
  const { send } = operation('files.move', { moves, on_conflict: 'rename' });
  return (await mutate({ send, repeatable: true })).ok;
}

async function removeAgain({ paths }: Extract<Done, { kind: 'delete' }>): Promise<Done | null> {
  const { send } = operation('files.delete', { paths: [...paths] });
  const result = await mutate({ send, repeatable: true });
  return result.ok
    ? { kind: 'delete', paths, trash_ids: result.data.trash.map(({ trash_id }) => trash_id) }
    : null;
}
