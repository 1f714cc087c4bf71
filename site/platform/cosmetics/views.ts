import { $cosmetics, preferDisplay } from './cosmetics.store.ts';
import type { DisplayMode, DisplayType } from './cosmetics.ts';

/** Buttons for a list's layout: the pressed one follows the cookie, also when another button changed it. */
for (const group of document.querySelectorAll<HTMLElement>('[data-views]')) {
  const type = group.dataset.views as DisplayType;
  const buttons = group.querySelectorAll<HTMLButtonElement>('[data-mode]');
  $cosmetics.subscribe(({ searchDisplayMode }) => {
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset.mode === searchDisplayMode[type]));
  });
  for (const button of buttons)
    button.addEventListener('click', () => preferDisplay(type, button.dataset.mode as DisplayMode));
}
