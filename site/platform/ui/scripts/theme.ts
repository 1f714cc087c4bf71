import { chooseColorMode, parseColorMode } from '../../cosmetics/color-mode.ts';

/**
 * The theme button toggles between light and the preferred dark theme. Source: specification §4 (Cycling), §9
 * (Cookies).
 */
document.addEventListener('click', ({ target }) => {
  if (!(target as Element).closest?.('[data-theme-cycle]')) return;
  const { theme, dark } = document.documentElement.dataset;
  chooseColorMode(theme === 'light' ? parseColorMode(dark ?? 'dark') : 'light');
});
