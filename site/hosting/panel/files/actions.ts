import type { ConflictChoice } from '#control/protocol/files.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { showToast } from '../../../platform/browser/toasts.store.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { startDownload } from '../transfer-way.ts';
import { $dialog, $listing, $place, $renaming, $selection, texts } from './files.store.ts';
import { load } from './folder.ts';
import { isCanceled, operation } from './operation.ts';
import { $named } from './operations.store.ts';
import { joinPath, nameOf, requestParts, shownNameOf } from './paths.ts';
import { noSelection } from './selection.ts';
import { remember, undo } from './undo.ts';

/** What is done to files. A refusal is shown as a toast, unless the dialog that asked shows it. */

interface Refusals {
  /** Shows a refusal in place. */
  refused?(text: string): void;
}
const inPlace = ({ refused }: Refusals) =>
  refused && {
    refused: ({ description, status }: { description: string; status: number }) => {
      if (status === 0) return false;
      refused(description);
      return true;
    },
  };

/** Says what was done, with a button that takes it back. */
const offerUndo = (title: string): void =>
  showToast({
    type: 'success',
    title,
    text: texts().t('server_files.undo_key'),
    action: texts().t('server_files.undo'),
    retry: () => void undo(),
  });

/** Moves the keyboard to an entry that was just made. */
async function showNew(path: string): Promise<void> {
  await load();
  $selection.set({ chosen: new Set([nameOf(path)]), anchor: nameOf(path), focus: nameOf(path) });
}

/** Creates an empty file or folder in the folder that is shown. Gives whether it did. */
export async function create(name: string, type: 'file' | 'directory', refusals: Refusals): Promise<boolean> {
  const path = joinPath($place.get().path, name);
  const { send } = operation('files.create', { path, type });
  const result = await mutate({ send, repeatable: true, ...inPlace(refusals) });
  if (result.ok) await showNew(path);
  return result.ok;
}

/** Gives an entry of the shown folder another name. */
export async function rename(name: string, to: string): Promise<void> {
  $renaming.set(null);
  if (to === name || to === '') return;
  const { path } = $listing.get();
  const isMoved = await moveAll([{ from: joinPath(path, name), to: joinPath(path, to) }], 'refuse', () =>
    texts().t('server_files.renamed', { name: to }),
  );
  if (isMoved) await showNew(joinPath(path, to));
}

/** Moves or copies `paths` into `folder`; what is there already is asked about. */
export async function moveTo(paths: readonly string[], folder: string, copy = false): Promise<void> {
  const pairs = paths.map((from) => ({ from, to: joinPath(folder, nameOf(from)) }));
  const name = folder === '' ? texts().t('server_files.top') : shownNameOf(folder);
  const said = (key: 'server_files.moved' | 'server_files.copied_to') => (count: number) =>
    texts().t(key, { count, shown: texts().number(count), name });
  // a copy beside its original gets another name
  if (copy)
    await copyAll(
      pairs,
      pairs.some(({ from, to }) => from === to) ? 'rename' : 'refuse',
      said('server_files.copied_to'),
    );
  else await moveAll(pairs, 'refuse', said('server_files.moved'));
}

type Pairs = readonly { from: string; to: string }[];
const askAbout = (text: string, choose: (choice: ConflictChoice) => void): boolean => {
  $dialog.set({ kind: 'exists', text, choose });
  return true;
};

async function moveAll(
  moves: Pairs,
  on_conflict: ConflictChoice,
  said: (count: number) => string,
): Promise<boolean> {
  let isMoved = false;
  for (const part of requestParts(moves)) {
    const { send } = operation('files.move', { moves: part, on_conflict });
    const again = (choice: ConflictChoice) => void moveAll(part, choice, said);
    const result = await mutate({
      send,
      repeatable: true,
      refused: ({ code, description }) => code === 'file_exists' && askAbout(description, again),
    });
    if (!result.ok) break;
    const went = part.flatMap(({ from }, i) => {
      const to = result.data.paths[i];
      return to ? [{ from, to }] : [];
    });
    if (went.length === 0) continue;
    // what was replaced is gone: moving back would not bring it
    remember({ kind: 'move', moves: went });
    offerUndo(said(went.length));
    isMoved = true;
  }
  await load();
  return isMoved;
}

async function copyAll(
  copies: Pairs,
  on_conflict: ConflictChoice,
  said: (count: number) => string,
): Promise<void> {
  for (const part of requestParts(copies)) {
    const { op_id, send } = operation('files.copy', { copies: part, on_conflict });
    if (part.length === 1) $named.setKey(op_id, shownNameOf(part[0]!.from));
    const again = (choice: ConflictChoice) => void copyAll(part, choice, said);
    const result = await mutate({
      send,
      repeatable: true,
      refused: ({ code, description }) =>
        isCanceled({ code }) || (code === 'file_exists' && askAbout(description, again)),
    });
    if (!result.ok) break;
    showToast({ type: 'success', title: said(result.data.paths.filter(Boolean).length), text: '' });
  }
  await load();
}

/** Puts `paths` into the trash. */
export async function remove(paths: readonly string[]): Promise<void> {
  for (const part of requestParts(paths)) {
    const { send } = operation('files.delete', { paths: part });
    const result = await mutate({ send, repeatable: true });
    if (!result.ok) break;
    const trash_ids = result.data.trash.map(({ trash_id }) => trash_id);
    remember({ kind: 'delete', paths: part, trash_ids });
    const values = { count: part.length, shown: texts().number(part.length), name: shownNameOf(part[0]!) };
    offerUndo(texts().t(part.length === 1 ? 'server_files.deleted_one' : 'server_files.deleted', values));
  }
  $selection.set({ ...noSelection, focus: $selection.get().focus });
  await load();
}

/** Sends a file as it is, or several and folders as a zip. */
export async function download(paths: readonly string[], isFolder: boolean): Promise<void> {
  const as = paths.length === 1 && !isFolder ? 'file' : 'zip';
  await mutate({
    send: () => requestFromPanel('files.download', { paths: [...paths], as }),
    repeatable: true,
    refresh: startDownload,
  });
}
