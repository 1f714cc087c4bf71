import { createPanel } from './panel.ts';
import { createSuggestionClient } from './suggestion-client.ts';

/**
 * Turns a search box into a combobox with suggestions. Keys follow the ARIA combobox pattern; without an active option
 * Enter submits the form. Source: decisions §2.1.
 */
export function start(form: HTMLFormElement, box: HTMLInputElement): void {
  const panel = createPanel(form, box);
  const typed = () => box.value.trim();
  const { here } = form.dataset;
  const asker = createSuggestionClient({
    about: { hl: document.documentElement.lang, ...(here ? { in: here } : {}) },
    onResult: (query, reported) => {
      if (reported) panel.found(query, reported);
      else panel.failed(query);
    },
    onWaiting: panel.waits,
  });

  const close = () => {
    asker.stop();
    panel.close();
  };
  const request = () => {
    panel.choose(-1);
    panel.hush();
    if (typed() === '') close();
    else asker.query(typed());
  };

  const keys: Record<string, () => boolean> = {
    ArrowDown: () => {
      if (panel.isOpen()) panel.move(1);
      else request();
      return true;
    },
    ArrowUp: () => {
      if (panel.isOpen()) panel.move(-1);
      return panel.isOpen();
    },
    // without an active option these move the text cursor
    Home: () => panel.jump('first'),
    End: () => panel.jump('last'),
    Enter: () => {
      const chosen = panel.chosen();
      chosen?.click();
      return chosen !== null;
    },
    Escape: () => {
      const wasOpen = panel.isOpen();
      close();
      if (!wasOpen) box.value = '';
      return true;
    },
  };

  box.addEventListener('input', (event) => {
    if (!(event as InputEvent).isComposing) request(); // no request while an input method is composing
  });
  box.addEventListener('compositionend', request);
  box.addEventListener('keydown', (event) => {
    // 229: the Enter that ends a composition, in browsers that send it after compositionend
    if (event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (keys[event.key]?.()) event.preventDefault();
  });
  box.addEventListener('focus', asker.forget);
  box.addEventListener('click', () => {
    if (!panel.isOpen()) request();
  });
  form.addEventListener('submit', close);
  // the box keeps the focus while the pointer presses a row, so that the rows stay until the click
  form.querySelector('[data-panel]')!.addEventListener('mousedown', (event) => {
    if ((event as MouseEvent).button === 0) event.preventDefault();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    const isAway = document.hasFocus() && !form.contains(relatedTarget as Node | null);
    if (isAway) close();
  });
  addEventListener('pagehide', close);
  addEventListener('online', () => {
    if (panel.isOpen()) request();
  });
  if (document.activeElement === box && typed() !== '') request();
}
