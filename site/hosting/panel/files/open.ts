import type { FileEntry } from '#control/protocol/files.ts';
import { opens } from './file-kind.ts';
import { $dialog, $listing } from './files.store.ts';
import { go } from './folder.ts';
import { joinPath } from './paths.ts';

/** Opens an entry of the shown folder: a folder, the editor, a picture, or what unpacks an archive. */
export function open(entry: FileEntry): void {
  const { path } = $listing.get();
  const what = opens(entry);
  if (what === 'folder') go({ path: joinPath(path, entry.name) });
  else if (what === 'unpack') $dialog.set({ kind: 'unpack', path: joinPath(path, entry.name) });
  else if (what !== null) go({ path, file: entry.name });
}
