import { isFormChanged } from './is-changed.ts';

/**
 * The bar of every settings form (`SettingsForm.astro`): watches whether something differs from what the page came with,
 * says so once, and asks before the page is left. Ctrl+S (Command+S) saves.
 */
function start(bar: HTMLElement): void {
  const form = bar.closest('form')!;
  const said = bar.querySelector('[role=status]')!;
  // what was typed before a mistake or a question for proof stands in the fields and is not saved
  let isSentBack = bar.dataset.sentBack !== undefined;
  let isLeaving = false;

  function update(): void {
    const dirty = isSentBack || isFormChanged(form);
    const wasDirty = bar.hasAttribute('data-dirty');
    bar.toggleAttribute('data-dirty', dirty);
    // the bar must not cover what is being typed
    if (dirty && !wasDirty && form.contains(document.activeElement))
      document.activeElement!.scrollIntoView({ block: 'nearest' });
    const text = dirty ? bar.dataset.unsaved! : '';
    if (said.textContent !== text) said.textContent = text;
  }

  form.addEventListener('input', update);
  form.addEventListener('change', update);
  form.addEventListener('reset', () => {
    if (!isSentBack) return void setTimeout(update); // after the fields are back
    isLeaving = true;
    location.assign(location.pathname);
  });
  const leaves = () => {
    isLeaving = true;
  };
  for (const happened of ['form:sent', 'form:leaves']) form.addEventListener(happened, leaves);
  form.addEventListener('form:saved', () => {
    isSentBack = false;
    isLeaving = false;
    update();
  });
  // what was typed is there again afterwards
  form.querySelector('[data-step]')?.addEventListener('click', leaves);
  form.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    form.requestSubmit();
  });
  addEventListener('beforeunload', (event) => {
    if (bar.hasAttribute('data-dirty') && !isLeaving) event.preventDefault();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isLeaving = false;
    update();
  });
  update();
}

for (const bar of document.querySelectorAll<HTMLElement>('[data-unsaved]')) start(bar);
