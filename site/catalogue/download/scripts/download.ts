import { requestFrom } from '../../../platform/browser/api-client.ts';

/**
 * The dialog of the download button, at `#download`: it can be linked, and Back closes it. Its content and script are
 * fetched when it is first opened; without scripts the button links to the version list.
 */
const fragment = '#download';
const body = document.querySelector<HTMLElement>('[data-download]');
const dialog = body?.closest('dialog');
let ready: Promise<{ reveal(): void } | null> | null = null;

const part = (name: string) => body!.querySelector<HTMLElement>(`[data-${name}]`)!;

/** Fetches the options, once; a failure is displayed, and the next call retries. */
function load(): NonNullable<typeof ready> {
  ready ??= (async () => {
    part('failed').hidden = true;
    part('waiting').hidden = false;
    const [{ chooser }, answer] = await Promise.all([
      import('./chooser.ts'),
      requestFrom(body!.dataset.download!),
    ]);
    if (!answer?.ok) throw new Error(`${answer?.status}`);
    body!.innerHTML = await answer.text();
    body!.removeAttribute('aria-busy');
    return chooser(body!.querySelector('form')!);
  })().catch(() => {
    ready = null;
    part('waiting').hidden = true;
    part('failed').hidden = false;
    return null;
  });
  return ready;
}

/** Opens or closes the dialog to match the address. */
function follow(): void {
  if (!dialog) return;
  if (location.hash !== fragment) dialog.close();
  else if (!dialog.open) void open(dialog);
}

async function open(dialog: HTMLDialogElement): Promise<void> {
  dialog.showModal();
  (await load())?.reveal();
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-download-open]')) {
  link.setAttribute('aria-haspopup', 'dialog');
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState({ download: true }, '', fragment);
    follow();
  });
  for (const sign of ['pointerenter', 'focus'])
    link.addEventListener(sign, () => void load(), { once: true });
}
dialog?.addEventListener('close', () => {
  if (location.hash !== fragment) return;
  // the previous history entry is this page without the dialog, unless the dialog's own address was opened directly
  if (history.state?.download) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
});
dialog?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('[data-again]')) void load();
});
addEventListener('hashchange', follow);
addEventListener('popstate', follow);
follow();
