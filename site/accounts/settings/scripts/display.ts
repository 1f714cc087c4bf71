import {
  type ColorMode,
  chooseColorMode,
  colorMode,
  parseColorMode,
} from '../../../platform/cosmetics/color-mode.ts';
import { $cosmetics, prefer, preferDisplay } from '../../../platform/cosmetics/cosmetics.store.ts';
import type {
  CosmeticsSwitch,
  DarkTheme,
  DisplayMode,
  DisplayType,
} from '../../../platform/cosmetics/cosmetics.ts';

/**
 * The display settings: shows the stored preferences of this browser and stores changes. The page is the same for
 * everybody.
 */
const system = matchMedia('(prefers-color-scheme: light)');
const form = document.querySelector<HTMLFormElement>('[data-display-settings]');

function show(): void {
  if (!form) return;
  const cosmetics = $cosmetics.get();
  const chosen: Record<string, string> = {
    theme: document.documentElement.dataset.theme!,
    ...Object.fromEntries(
      Object.entries(cosmetics.searchDisplayMode).map(([type, mode]) => [`display-${type}`, mode]),
    ),
  };
  for (const input of form.querySelectorAll<HTMLInputElement>('input'))
    input.checked =
      input.type === 'radio'
        ? chosen[input.name] === input.value
        : input.name === 'follow-system'
          ? colorMode() === 'system'
          : cosmetics[input.name as CosmeticsSwitch] === true;
}

/** Shows a theme; the site goes on following the system if that asks for such a theme. A dark one is remembered. */
function chooseTheme(theme: ColorMode): void {
  const isFollowed = colorMode() === 'system' && (theme === 'light') === system.matches;
  if (theme !== 'light') prefer({ preferredDarkTheme: theme as DarkTheme });
  if (!isFollowed) chooseColorMode(theme);
}

function save({ name, value, checked }: HTMLInputElement): void {
  if (name === 'theme') chooseTheme(parseColorMode(value));
  else if (name === 'follow-system')
    chooseColorMode(checked ? 'system' : parseColorMode(document.documentElement.dataset.theme));
  else if (name.startsWith('display-')) preferDisplay(name.slice(8) as DisplayType, value as DisplayMode);
  else prefer({ [name]: checked });
}

if (form) {
  form.addEventListener('change', ({ target }) => save(target as HTMLInputElement));
  $cosmetics.subscribe(show);
  system.addEventListener('change', show);
  addEventListener('cosmetics', show);
  form.removeAttribute('inert');
}
