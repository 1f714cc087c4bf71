/** Hides the banner of a staging copy permanently on request. Source: specification §3 (hideStagingBanner). */
document.querySelector('[data-hide-staging]')?.addEventListener('click', async () => {
  const { prefer } = await import('../../cosmetics/cosmetics.store.ts');
  prefer({ hideStagingBanner: true });
  document.querySelector<HTMLElement>('main')?.focus();
});
