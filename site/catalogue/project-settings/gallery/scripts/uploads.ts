import { mutate } from '../../../../platform/browser/mutate.ts';
import { keepToast } from '../../../../platform/browser/toasts.store.ts';
import { uploadFile } from '../../../../platform/browser/upload.ts';
import { readMessages } from '../../../../platform/text/message-reader.ts';

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/webp': 'webp',
};
const at_once = 2;

/**
 * Gives a function that adds images, two at a time, each with its progress and a button to cancel. When all have arrived
 * the page shows them; after a refusal it stays, with the reason.
 */
export function openUploads(form: HTMLFormElement): (files: Iterable<File>) => void {
  const { galleryAdd: project_id, maxBytes } = form.dataset;
  const { t, count } = readMessages<'gallery.add_' | 'gallery.too_large'>(form);
  const list = form.querySelector<HTMLElement>('[data-uploads]')!;
  const after = form.querySelector<HTMLElement>('[data-after]')!;
  const said = form.querySelector<HTMLElement>('[data-said]')!;
  const waiting: Array<() => Promise<void>> = [];
  let next = Number(form.dataset.next);
  let left = Number(form.dataset.left);
  // the first picture of a project is featured, until another one is chosen
  let lacksFeatured = form.dataset.empty !== undefined;
  let running = 0;
  let added = 0;
  let failed = 0;

  /** A line of the list, with what may happen to its file. */
  function row(name: string) {
    const line = document.createElement('li');
    const title = document.createElement('bdi');
    title.className = 'clip';
    title.textContent = name;
    const cancel = document.createElement('button');
    cancel.type = 'button';
    cancel.className = 'btn quiet s';
    cancel.textContent = t('gallery.add_cancel');
    cancel.ariaLabel = t('gallery.add_cancel_named', { name });
    const meter = document.createElement('progress');
    meter.className = 'meter go';
    meter.value = 0;
    meter.ariaLabel = t('gallery.add_progress', { name });
    const note = document.createElement('span');
    note.className = 'hint';
    line.append(title, cancel, meter, note);
    list.hidden = false;
    list.append(line);
    return {
      cancel,
      /** All is sent; the server looks at it. */
      progress(share: number) {
        if (share < 1) meter.value = share;
        else meter.removeAttribute('value');
      },
      end(text: string, bad: boolean) {
        cancel.remove();
        meter.remove();
        note.textContent = text;
        note.classList.toggle('bad', bad);
        if (bad) note.role = 'alert';
      },
      drop: () => line.remove(),
    };
  }

  function add(file: File): void {
    const shown = row(file.name);
    const refuse = (text: string) => {
      failed += 1;
      shown.end(text, true);
    };
    const extension = extensions[file.type];
    const why = extension
      ? file.size > Number(maxBytes)
        ? t('gallery.too_large')
        : left === 0 && t('gallery.add_full')
      : t('gallery.add_type');
    if (why) {
      refuse(why);
      return;
    }
    left -= 1;
    const canceled = new AbortController();
    const place = next++;
    shown.cancel.addEventListener('click', () => canceled.abort());
    waiting.push(async () => {
      const featured = lacksFeatured;
      lacksFeatured = false;
      const path = `/v2/project/${project_id}/gallery?ext=${extension}&featured=${featured}&ordering=${place}`;
      const { signal } = canceled;
      const result = await mutate({
        send: () => uploadFile(path, file, { signal, onProgress: shown.progress }),
        refused: ({ code, description }) => {
          if (code === 'aborted') return true;
          refuse(
            code === 'gallery_image_too_large'
              ? t('gallery.too_large')
              : description || t('gallery.add_offline'),
          );
          return true;
        },
      });
      if (result.ok) {
        added += 1;
        form.dataset.added = String(added); // for the checklist
        form.dispatchEvent(new Event('change', { bubbles: true }));
        shown.end(t('gallery.add_done'), false);
      } else {
        left += 1;
        lacksFeatured ||= featured;
        if (result.error.code === 'aborted') shown.drop();
      }
    });
  }

  async function work(): Promise<void> {
    if (running === at_once) return;
    running += 1;
    for (let task = waiting.shift(); task; task = waiting.shift()) await task();
    running -= 1;
    if (running === 0) finish();
  }

  function finish(): void {
    list.hidden = list.childElementCount === 0;
    if (added === 0) return;
    const text = count('gallery.add_added', added);
    if (failed > 0 || document.querySelector('[data-unsaved][data-dirty]')) {
      said.textContent = text;
      after.hidden = false;
      return;
    }
    keepToast({ type: 'success', title: text, text: '' });
    location.reload();
  }

  function take(files: Iterable<File>): void {
    for (const file of files) add(file);
    for (let one = 0; one < at_once; one++) void work();
  }

  addEventListener('beforeunload', (event) => {
    if (running > 0) event.preventDefault();
  });
  form.querySelector('[data-show]')!.addEventListener('click', () => location.reload());
  return take;
}
