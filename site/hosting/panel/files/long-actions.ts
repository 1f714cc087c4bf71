import type { ConflictChoice } from '#control/protocol/files.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { showToast } from '../../../platform/browser/toasts.store.ts';
import { $dialog, texts } from './files.store.ts';
import { load } from './folder.ts';
import { isCanceled, operation } from './operation.ts';
import { $named } from './operations.store.ts';
import { joinPath, shownNameOf } from './paths.ts';

/** What takes long: how far it is stands in the list of operations. */

/** Unpacks an archive into a folder. */
export async function unpack(
  path: string,
  into: string,
  on_conflict: 'replace' | 'skip' | 'rename',
): Promise<void> {
  const { op_id, send } = operation('files.unpack', { path, into, on_conflict });
  $named.setKey(op_id, shownNameOf(path));
  const result = await mutate({ send, repeatable: true, refused: isCanceled });
  if (result.ok) {
    const { t, count } = texts();
    const { files, skipped } = result.data;
    const title = t('server_files.unpacked', { files: count('server_files.count', files) });
    showToast({ type: 'success', title, text: skipped > 0 ? count('server_files.skipped', skipped) : '' });
  }
  await load();
}

/** Fetches an address into a folder. */
export async function fetchTo(
  url: string,
  folder: string,
  name: string,
  on_conflict: ConflictChoice = 'refuse',
): Promise<void> {
  const { op_id, send } = operation('files.fetch', { url, path: joinPath(folder, name), on_conflict });
  $named.setKey(op_id, name);
  const again = (choice: ConflictChoice) => void fetchTo(url, folder, name, choice);
  const result = await mutate({
    send,
    repeatable: true,
    refused({ code, description }) {
      if (code !== 'file_exists') return isCanceled({ code });
      $dialog.set({ kind: 'exists', text: description, choose: again });
      return true;
    },
  });
  if (result.ok)
    showToast({
      type: 'success',
      title: texts().t('server_files.fetched', { name: shownNameOf(result.data.path) }),
      text: '',
    });
  await load();
}
