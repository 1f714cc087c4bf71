/** Shows as a toast what `Saved.astro` says; the address is that of the page again, so that loading it again says nothing. */
const saved = document.querySelector('[data-saved]');
if (saved) {
  const { showSaved } = await import('./save-in-place.ts');
  const url = new URL(location.href);
  url.searchParams.delete('saved');
  history.replaceState(history.state, '', url);
  saved.remove();
  showSaved(saved);
}

export {};
