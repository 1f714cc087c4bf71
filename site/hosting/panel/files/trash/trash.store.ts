import { atom } from 'nanostores';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { showToast } from '../../../../platform/browser/toasts.store.ts';
import type { Result } from '../../../shared/request.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { texts } from '../files.store.ts';
import { operation } from '../operation.ts';
import { requestParts } from '../paths.ts';

/** What was deleted and can be restored. */
export type TrashItem = Result<'files.trash'>['items'][number];
interface TrashList {
  items: readonly TrashItem[];
  total: number;
  state: 'loading' | 'ready' | 'refused';
  problem: string;
}
export const $trash = atom<TrashList>({ items: [], total: 0, state: 'loading', problem: '' });
export const $chosenTrash = atom<ReadonlySet<string>>(new Set());

const page = 100;

/** Reads the trash again, as far as it was read. */
export async function loadTrash(): Promise<void> {
  const limit = Math.min(500, Math.max(page, $trash.get().items.length));
  const answer = await requestFromPanel('files.trash', { from: 0, limit });
  if (!answer.ok) {
    if (answer.error.status !== 0)
      $trash.set({ ...$trash.get(), state: 'refused', problem: answer.error.description });
    return;
  }
  const { items, total } = answer.data;
  const known = new Set(items.map(({ trash_id }) => trash_id));
  $chosenTrash.set(new Set([...$chosenTrash.get()].filter((id) => known.has(id))));
  $trash.set({ items, total, state: 'ready', problem: '' });
}

export async function loadMoreTrash(): Promise<void> {
  const { items } = $trash.get();
  const answer = await requestFromPanel('files.trash', { from: items.length, limit: page });
  if (!answer.ok) return;
  const known = new Set(items.map(({ trash_id }) => trash_id));
  const more = answer.data.items.filter(({ trash_id }) => !known.has(trash_id));
  $trash.set({ ...$trash.get(), items: [...items, ...more], total: answer.data.total });
}

/** Puts deleted files back to where they were. */
export async function restore(ids: readonly string[]): Promise<void> {
  let count = 0;
  for (const trash_ids of requestParts(ids)) {
    const result = await mutate({ send: operation('files.restore', { trash_ids }).send, repeatable: true });
    if (!result.ok) break;
    count += result.data.paths.length;
  }
  if (count > 0)
    showToast({ type: 'success', title: texts().count('server_files.restored', count), text: '' });
  await loadTrash();
}

/** Removes deleted files for good; everything when `ids` is null. */
export async function purge(ids: readonly string[] | null): Promise<void> {
  for (const trash_ids of ids ? requestParts(ids) : [null]) {
    const result = await mutate({ send: operation('files.purge', { trash_ids }).send, repeatable: true });
    if (!result.ok) break;
  }
  await loadTrash();
}
