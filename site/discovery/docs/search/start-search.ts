/** Loads the search of the handbooks when somebody goes to its box. */
export function start(): void {
  const form = document.querySelector<HTMLFormElement>('[data-docs-search]');
  const box = form?.querySelector<HTMLInputElement>('[data-docs-find]');
  if (!form || !box) return;
  let isLoaded = false;
  const load = async () => {
    if (isLoaded) return;
    isLoaded = true;
    try {
      (await import('./search-box.ts')).start(form, box);
    } catch {
      isLoaded = false; // no connection: the next focus tries again
    }
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  box.addEventListener('focus', load);
  if (document.activeElement === box) void load();
}
