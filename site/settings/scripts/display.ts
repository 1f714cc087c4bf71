import { chooseColorMode, colorMode, parseColorMode } from '../../cosmetics/color-mode.ts';
import { $cosmetics, prefer, preferDisplay } from '../../cosmetics/cosmetics.store.ts';
import type { CosmeticsSwitch, DarkTheme, DisplayMode, DisplayType } from '../../cosmetics/cosmetics.ts';
import { $flags } from '../../flags/flags.store.ts';

/**
 * The display settings: shows the stored preferences of this browser and stores changes. The page is the same for
 * everybody.
 */
const form = document.querySelector<HTMLFormElement>('[data-display-settings]');

function show(): void {
  if (!form) return;
  const cosmetics = $cosmetics.get();
  const chosen: Record<string, string> = {
    theme: colorMode(),
    'dark-theme': cosmetics.preferredDarkTheme,
    ...Object.fromEntries(
      Object.entries(cosmetics.searchDisplayMode).map(([type, mode]) => [`display-${type}`, mode]),
    ),
  };
  for (const input of form.querySelectorAll<HTMLInputElement>('input'))
    input.checked =
      input.type === 'radio'
        ? chosen[input.name] === input.value
        : cosmetics[input.name as CosmeticsSwitch] === true;
  // the retro theme is for developers, and for users who have it already
  for (const card of form.querySelectorAll<HTMLElement>('[data-theme-choice=retro]'))
    card.hidden = !$flags.get().developerMode && !card.querySelector('input')!.checked;
}

function save({ name, value, checked }: HTMLInputElement): void {
  if (name === 'theme') chooseColorMode(parseColorMode(value));
  else if (name === 'dark-theme') prefer({ preferredDarkTheme: value as DarkTheme });
  else if (name.startsWith('display-')) preferDisplay(name.slice(8) as DisplayType, value as DisplayMode);
  else prefer({ [name]: checked });
}

if (form) {
  form.addEventListener('change', ({ target }) => save(target as HTMLInputElement));
  $cosmetics.subscribe(show);
  $flags.subscribe(show);
  addEventListener('cosmetics', show);
  form.removeAttribute('inert');
}
