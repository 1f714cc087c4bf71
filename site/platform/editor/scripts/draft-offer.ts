import { forgetDraft, readDraft, writeDraft } from './drafts.ts';

const pause_ms = 600;

/**
 * Keeps what is typed as a draft until the form is saved, and offers a draft that was left. A draft that says what the
 * page says already is forgotten.
 */
export function startDraft(
  holder: HTMLElement,
  area: HTMLTextAreaElement,
  name: string,
  restore: (text: string) => void,
): { keep(text: string): void } {
  const offer = holder.querySelector<HTMLElement>('[data-draft-found]')!;
  const saved = area.defaultValue.replace(/\r\n?/g, '\n');
  let waiting: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    if (waiting === null) return;
    if (waiting === saved) forgetDraft(name);
    else writeDraft(name, waiting);
    waiting = null;
  }
  const left = readDraft(name);
  if (left && left.text !== area.value) {
    offer.querySelector('[data-draft-time]')!.textContent = new Intl.DateTimeFormat(
      document.documentElement.lang,
      {
        dateStyle: 'medium',
        timeStyle: 'short',
      },
    ).format(left.saved);
    offer.hidden = false;
  } else if (left && left.text === saved) forgetDraft(name);

  offer.querySelector('[data-draft-restore]')!.addEventListener('click', () => {
    offer.hidden = true;
    if (left) restore(left.text);
    area.focus();
  });
  offer.querySelector('[data-draft-discard]')!.addEventListener('click', () => {
    offer.hidden = true;
    forgetDraft(name);
    area.focus();
  });
  area.form?.addEventListener('form:sent', () => {
    waiting = null;
    clearTimeout(timer);
    forgetDraft(name);
  });
  addEventListener('pagehide', flush);
  return {
    keep(text) {
      // typing on is no answer to the offer: the draft that was left is not lost by it
      if (!offer.hidden) return;
      waiting = text;
      clearTimeout(timer);
      timer = setTimeout(flush, pause_ms);
    },
  };
}
