import { $flags } from '../../flags/flags.store.ts';
import { registerClick } from '../../flags/logo-clicks.ts';

/**
 * Developer mode: five clicks on a logo toggle it, `[data-developer-off]` ends it, and `data-developer` on `<html>`
 * shows `.developer-only`. Source: specification §4, §9.
 */
const root = document.documentElement;
const stored = 'logo';

$flags.subscribe(({ developerMode }) => root.toggleAttribute('data-developer', developerMode));

const switchTo = async (on: boolean) => (await import('./switch-developer.ts')).switchDeveloper(on);

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  if (target.closest('[data-developer-off]')) return void switchTo(false);
  const logo = target.closest<HTMLElement>('[data-logo]');
  if (!logo || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const received = registerClick(sessionStorage.getItem(stored), Date.now());
  sessionStorage.setItem(stored, received.clicks);
  // a link to the current page would only reload it
  const isHere = logo instanceof HTMLAnchorElement && logo.href === location.href;
  if (isHere) scrollTo({ top: 0 });
  if (isHere || received.done) event.preventDefault();
  if (received.done) void switchTo(!$flags.get().developerMode);
});
