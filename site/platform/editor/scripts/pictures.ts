import type { EditorView } from '@codemirror/view';
import { apiFetch } from '../../browser/api-client.ts';
import { mutate } from '../../browser/mutate.ts';
import { showToast } from '../../browser/toasts.store.ts';
import type { MessageReader } from '../../text/message-reader.ts';

/** Source: specification §5 (text editor). */
const most_bytes = 1_048_576;
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
};

/** For which kind of text pictures are, and for which item. */
export interface PictureTarget {
  context: string;
  id?: string;
}
type Texts = Pick<
  MessageReader<'editor.say_uploading' | 'editor.say_too_large' | 'editor.say_too_large_text'>,
  't'
>;

let last = 0;
/** What stands for a picture until it is uploaded: `![Uploading stone.png …](uploading:1)`. */
const placeholder = /!\[[^\]\n]{0,400}\]\(uploading:\d+\)\n?/g;
export const withoutPlaceholders = (text: string): string => text.replace(placeholder, '');

/** Uploads those of `files` that are pictures into the text; whether there were any. */
export function uploadPictures(
  view: EditorView,
  files: readonly File[],
  target: PictureTarget,
  texts: Texts,
): boolean {
  const pictures = files.filter(({ type }) => Object.hasOwn(extensions, type));
  for (const file of pictures) {
    if (file.size <= most_bytes) void upload(view, file, target, texts);
    else
      showToast({
        type: 'error',
        title: texts.t('editor.say_too_large'),
        text: texts.t('editor.say_too_large_text', { name: file.name }),
      });
  }
  return pictures.length > 0;
}

/** Where a picture goes: to the caret, but not into the empty text of the picture before it. */
function placeOf({ state }: EditorView): { from: number; to: number } {
  const { from, to } = state.selection.main;
  const link = /^\]\([^()\s]*\)/.exec(state.sliceDoc(to));
  if (from !== to || !link || state.sliceDoc(Math.max(0, from - 2), from) !== '![') return { from, to };
  return { from: to + link[0].length, to: to + link[0].length };
}

async function upload(
  view: EditorView,
  file: File,
  { context, id }: PictureTarget,
  { t }: Texts,
): Promise<void> {
  const name = file.name.replace(/[[\]()\\]/g, '');
  const mark = `![${t('editor.say_uploading', { name })}](uploading:${++last})`;
  const { from, to } = placeOf(view);
  view.dispatch({ changes: { from, to, insert: mark }, selection: { anchor: from + mark.length } });
  const query = new URLSearchParams({
    context,
    ext: extensions[file.type]!,
    ...(id && { [`${context}_id`]: id }),
  });
  const result = await mutate({
    send: () => apiFetch('POST /v3/image', { query, blob: file }),
  });
  const at = view.state.doc.toString().indexOf(mark);
  if (at === -1) return; // it was taken out meanwhile
  const insert = result.ok ? `![](${result.data.url})` : '';
  const head = view.state.selection.main.head;
  view.dispatch({
    changes: { from: at, to: at + mark.length, insert },
    // between the brackets, where its text for those who cannot see it belongs
    ...(insert && head === at + mark.length && { selection: { anchor: at + 2 } }),
  });
}
