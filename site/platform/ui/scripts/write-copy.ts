import { showToast } from '../../browser/toasts.store.ts';
import { readMessages } from '../../text/message-reader.ts';
import { announce } from './live-region.ts';

/**
 * Buttons with `data-copy` copy that text, show a check mark and confirm for two seconds. With `data-share` too it is a
 * link, and the share menu of the system comes first, where there is one. Source: specification §4, §9.
 */
const confirmed_ms = 2000;
const check = '<path d="M20 6 9 17l-5-5"/>';
/** Restores a button to its state before the click. */
const pressed = new WeakMap<HTMLElement, { timer: ReturnType<typeof setTimeout>; back: () => void }>();

/** Insecure pages have no Clipboard API: there `execCommand` copies a selection. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'hide';
    const before = document.activeElement as HTMLElement | null;
    (before?.closest('dialog') ?? document.body).append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    before?.focus();
    return done;
  }
}

/** Opens the share menu of the system. False without one; closing it unused is no failure. */
async function wasShared(url: string): Promise<boolean> {
  try {
    await navigator.share({ title: document.title, url });
    return true;
  } catch (error) {
    return (error as Error).name === 'AbortError';
  }
}

function mark(button: HTMLElement): void {
  const copied = button.dataset.copied ?? '';
  const label = button.getAttribute('aria-label');
  const icon = button.querySelector('svg');
  const drawn = icon?.innerHTML ?? '';
  button.classList.add('copied');
  if (label !== null) button.setAttribute('aria-label', copied);
  if (icon) icon.innerHTML = check;
  announce(copied);
  const back = () => {
    button.classList.remove('copied');
    if (label !== null) button.setAttribute('aria-label', label);
    if (icon) icon.innerHTML = drawn;
    pressed.delete(button);
  };
  pressed.set(button, { timer: setTimeout(back, confirmed_ms), back });
}

/** Copies or shares what a button holds, and says on the button that it did; a failure is a toast. */
export async function copyOf(button: HTMLElement): Promise<void> {
  const { copy = '', share } = button.dataset;
  if (share !== undefined && (await wasShared(copy))) return;
  const done = await write(copy);
  const before = pressed.get(button);
  clearTimeout(before?.timer);
  before?.back();
  if (done) return mark(button);
  const place = document.querySelector<HTMLElement>('[data-toasts]');
  if (!place) return;
  const { t } = readMessages<'shell.problem_' | 'shell.copy_failed_text'>(place);
  showToast({ type: 'error', title: t('shell.problem_title'), text: t('shell.copy_failed_text') });
}
