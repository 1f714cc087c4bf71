import { prefer } from '../../cosmetics/cosmetics.store.ts';

/** Hides the banner of a staging copy permanently on request. Source: specification §3 (hideStagingBanner). */
document.querySelector('[data-hide-staging]')?.addEventListener('click', () => {
  prefer({ hideStagingBanner: true });
  document.querySelector<HTMLElement>('main')?.focus();
});
