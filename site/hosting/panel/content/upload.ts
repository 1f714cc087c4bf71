import { showToast } from '../../../platform/browser/toasts.store.ts';
import { $place, texts } from '../files/files.store.ts';
import { joinPath } from '../files/paths.ts';
import { addUploads } from '../files/upload/uploads.ts';
import { $uploads } from '../files/uploads.store.ts';
import { $content, $restartDue, loadContent } from './content.store.ts';
import { folderOf, typeOfFile } from './folders.ts';

/** Uploads of content, by the queue of the files page. */

/** Uploads files to where the server loads each from; those that it would not load are named and left out. */
export function uploadContent(files: readonly File[]): void {
  const content = $content.get();
  if (!content) return;
  follow();
  const typed = files.map((file) => ({ file, type: typeOfFile(file.name, content.types) }));
  const refused = typed.filter(({ type }) => type === null);
  if (refused.length > 0) {
    const { t, count } = texts();
    showToast({
      type: 'warning',
      title: count('server_content.not_content', refused.length),
      text: t('server_content.not_content_text', { name: refused[0]!.file.name }),
    });
  }
  // paths below the server's own folder
  $place.set({ path: '', file: null, view: 'files' });
  const picked = typed.flatMap(({ file, type }) =>
    type === null ? [] : [{ file, path: joinPath(folderOf(type, content.items), file.name) }],
  );
  if (picked.length > 0) void addUploads(picked);
}

let isFollowing = false;
/** The list is loaded again when an upload has arrived. */
function follow(): void {
  if (isFollowing) return;
  isFollowing = true;
  let arrived = 0;
  $uploads.listen((queue) => {
    const done = queue.filter(({ state }) => state === 'done').length;
    const isMore = done > arrived;
    arrived = done;
    if (!isMore) return;
    $restartDue.set(true);
    void loadContent();
  });
}
