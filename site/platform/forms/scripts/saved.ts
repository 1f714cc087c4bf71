/** Shows as a toast what `Saved.astro` says; the address is that of the page again, so that loading it again says nothing. */
// not at the top of the module: with an await there the bundler joins no scripts anywhere
async function show(saved: Element): Promise<void> {
  const { showSaved } = await import('./save-in-place.ts');
  const url = new URL(location.href);
  url.searchParams.delete('saved');
  history.replaceState(history.state, '', url);
  saved.remove();
  showSaved(saved);
}

const saved = document.querySelector('[data-saved-note]');
if (saved) void show(saved);

export {};
