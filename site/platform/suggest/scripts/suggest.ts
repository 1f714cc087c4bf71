/** The search box over all types: its role, lazy loading of suggestions, and how it opens on a phone. */
type Box = HTMLInputElement;

function speak(box: Box): void {
  const says = {
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'suggestions',
  };
  for (const [name, value] of Object.entries(says)) box.setAttribute(name, value);
}

/** Loads the suggestion code when the box gets the focus. */
function loadOnFocus(form: HTMLFormElement, box: Box): void {
  let isLoaded = false;
  const load = async () => {
    if (isLoaded) return;
    isLoaded = true;
    try {
      const { start } = await import('../combobox.ts');
      start(form, box);
    } catch {
      isLoaded = false; // no connection: the form still submits, and the next focus tries again
    }
  };
  box.addEventListener('focus', load);
  if (document.activeElement === box) void load();
}

/** On a phone the box covers the top bar while it has the focus. */
function openOnPhones(form: HTMLFormElement, box: Box): void {
  const bar = form.closest('header');
  const opener = bar?.querySelector<HTMLElement>('[data-find-open]');
  if (!bar || !opener) return;
  const leave = () => bar.classList.remove('finding');
  opener.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    bar.classList.add('finding');
    box.focus();
    box.click(); // handles what was typed before the code was loaded
  });
  form.querySelector('[data-find-close]')?.addEventListener('click', () => {
    leave();
    opener.focus();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (document.hasFocus() && !form.contains(relatedTarget as Node | null)) leave();
  });
}

const form = document.querySelector<HTMLFormElement>('[data-suggest]');
const box = form?.querySelector<Box>('[data-find]');
if (form && box) {
  speak(box);
  loadOnFocus(form, box);
  openOnPhones(form, box);
}
