import { bindCombobox } from './listbox.ts';
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
    panel.listbox.choose(-1);
    panel.hush();
    if (typed() === '') close();
    else asker.query(typed());
  };
  const enter = () => {
    const chosen = panel.listbox.chosen();
    chosen?.click();
    return chosen !== null;
  };
  bindCombobox({ form, box, panel: panel.element, listbox: panel.listbox, request, close, enter });

  box.addEventListener('focus', asker.forget);
  form.addEventListener('submit', close);
  addEventListener('pagehide', close);
  addEventListener('online', () => {
    if (!panel.element.hidden) request();
  });
  if (document.activeElement === box && typed() !== '') request();
}
